import { partText, tokensText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { RequestState } from '../../protocol/log/sessionState.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { bySession, type Drawing, greyed, openRequest, rowId } from './drawing.ts';
import { pagedRows } from './pages.ts';
import { prefixKeptText } from './prefixWords.ts';
import {
  answerText,
  causeTexts,
  differenceText,
  keptText,
  messagesText,
  receiptText,
  sizesText,
} from './requestWords.ts';
import type { Row } from './row.ts';
import { beside, bytesText, paragraphs, shown, type Wording } from './wording.ts';

/** Requests, the newest first: what each took, what changed since the one before, and what was seen to leave. */
export function requestRows(sessions: PanelSessions, drawing: Drawing): readonly Row[] {
  return bySession(sessions, drawing, session => {
    const { requests } = session.state;
    return pagedRows(
      rowId(drawing.view, session, 'requests'),
      requests.length,
      index => {
        const place = requests.length - 1 - index;
        const request = requests.get(place);
        return request && requestRow(session, request, requests.get(place - 1), drawing);
      },
      drawing,
    );
  });
}

const RECEIPTS = {
  matched: { icon: 'pass', color: 'testing.iconPassed' },
  mismatch: { icon: 'error', color: 'errorForeground' },
  quoted: { icon: 'quote', color: 'problemsWarningIcon.foreground' },
  'not-reported': { icon: 'circle-outline', color: undefined },
} as const;

function requestRow(
  session: PanelSession,
  request: RequestState,
  before: RequestState | undefined,
  drawing: Drawing,
): Row {
  const { view, wording } = drawing;
  const { say, time } = wording;
  const { sealed, receipt } = request;
  const number = sealed.requestSequence;
  const seal = receipt && RECEIPTS[receipt.result];
  const label = say(sentence('Request {0}', number));
  const size = bytesText(wording, sealed.bytes);
  const tokens = sealed.sizes ? tokensText(wording, sealed.sizes.total) : '';
  const change = changeText(request, before, wording);
  const [cause = ''] = causeTexts(session, sealed, drawing, 1);
  const left = receiptText(receipt, wording);
  return {
    id: rowId(view, session, 'request', number),
    label,
    description: beside([receipt?.result === 'mismatch' ? left : '', tokens, change, size, cause]),
    tooltip: paragraphs([
      say(sentence('Request {0}, sealed {1}', number, time(sealed.time))),
      beside([size, messagesText(sealed.messages, wording), tokens]),
      change,
      ...causeTexts(session, sealed, drawing, 5),
      left,
      receipt?.evidence === undefined ? '' : shown(receipt.evidence, 400),
      answerText(request, wording),
    ]),
    icon: seal?.icon ?? 'watch',
    ...greyed(session, seal?.color),
    spoken: sentences([label, tokens, change, size, cause, left]),
    about: { session: session.key, request: number },
    kind: number > 1 ? 'request.next' : 'request.first',
    ...openRequest(session, number, wording),
    children: () => detailRows(session, request, before, drawing),
  };
}

/** Phrases and sentences one after the other, as they are read aloud. */
function sentences(parts: readonly string[]): string {
  return parts
    .filter(part => part !== '')
    .map(part => part.replace(/\.$/, ''))
    .join('. ');
}

/** Against the request before. */
function changeText({ sealed }: RequestState, before: RequestState | undefined, wording: Wording): string {
  const { say } = wording;
  if (!before) {
    return say(sentence('the first one'));
  }
  const divergence = sealed.price?.divergence;
  if (divergence) {
    const kept = prefixKeptText(sealed, before, wording);
    const prefix = kept === '' ? '' : say(sentence('prefix: {0}', kept));
    return divergence.part === 'prefix' && prefix !== ''
      ? prefix
      : beside([
          say(sentence('{0} changed', partText(divergence.part, wording))),
          keptText(sealed, before, wording),
          divergence.part === 'messages' ? prefix : '',
        ]);
  }
  const added = sealed.messages - before.sealed.messages;
  if (added > 0) {
    return say(added === 1 ? sentence('1 message added') : sentence('{0} messages added', added));
  }
  return sealed.hash === before.sealed.hash ? say(sentence('the same as before')) : '';
}

/** Below a request: what it took, what changed and why, what left, how it was answered. */
function detailRows(
  session: PanelSession,
  request: RequestState,
  before: RequestState | undefined,
  drawing: Drawing,
): readonly Row[] {
  const { view, wording } = drawing;
  const { say } = wording;
  const { sealed, receipt } = request;
  const row = (name: string, label: string, description: string, icon: string, more: Partial<Row> = {}): Row => ({
    id: rowId(view, session, 'request', sealed.requestSequence, name),
    label,
    description: shown(description),
    tooltip: paragraphs([`${label}: ${description}`]),
    icon,
    spoken: `${label}: ${description}`,
    kind: 'detail',
    ...more,
  });
  const seal = receipt && RECEIPTS[receipt.result];
  const prefix =
    sealed.prefixMessages === undefined
      ? ''
      : beside([messagesText(sealed.prefixMessages, wording), prefixKeptText(sealed, before, wording)]);
  const sizes = beside([bytesText(wording, sealed.bytes), messagesText(sealed.messages, wording)]);
  return [
    row('size', say(sentence('Size')), sizes, 'file-binary'),
    ...(sealed.sizes
      ? [row('tokens', say(sentence('Tokens')), sizesText(sealed.sizes, wording), 'symbol-number')]
      : []),
    ...(prefix === '' ? [] : [row('prefix', say(sentence('Prefix')), prefix, 'pinned')]),
    ...(before && sealed.price
      ? [
          row('kept', say(sentence('Kept')), keptText(sealed, before, wording), 'history'),
          row('difference', say(sentence('First difference')), differenceText(sealed.price, wording), 'diff'),
        ]
      : []),
    ...causeTexts(session, sealed, drawing, 20).map((cause, index) =>
      row(`cause ${index}`, say(sentence('Because')), cause, 'arrow-small-right'),
    ),
    row('receipt', say(sentence('Receipt')), receiptText(receipt, wording), seal?.icon ?? 'watch', {
      ...greyed(session, seal?.color),
    }),
    ...(receipt?.evidence === undefined
      ? []
      : [row('evidence', say(sentence('Evidence')), receipt.evidence, 'search')]),
    row('answer', say(sentence('Answer')), answerText(request, wording), 'comment'),
  ];
}
