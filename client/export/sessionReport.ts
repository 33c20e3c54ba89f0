import { tokensText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { discarderText } from '../views/discarders.ts';
import { linkText, placeIn, sessionName } from '../views/drawing.ts';
import { renderShown } from '../views/eventWords.ts';
import { answerText, differenceText, receiptText } from '../views/requestWords.ts';
import { beside, bytesText, shown, type Wording } from '../views/wording.ts';

/**
 * A session as a Markdown report: its blocks, its requests, and every event in one sentence. Text from the session can make no
 * markup, and each line of a request is indented, so that no tag in it is live.
 */
export function sessionReport(
  session: PanelSession,
  events: readonly LogEvent[],
  lastRequest: string,
  wording: Wording,
): string {
  const { say, time } = wording;
  const { header, state } = session;
  const blocks = [...state.lifecycle.blocks.values()];
  const lines = [
    `# ${plainMarkdown(say(sentence('Session {0}', shown(header.id))))}`,
    '',
    ...list([sessionName(session), linkText(session, wording), time(header.created), shown(header.cwd ?? '', 1_000)]),
    '',
    `## ${say(sentence('Blocks'))}`,
    '',
    ...list(
      blocks.map(({ id, activated, discarded }) =>
        beside([
          shown(id),
          discarded
            ? say(
                sentence(
                  'discarded by {0} from request {1} on',
                  discarderText(discarded, header.cwd, wording),
                  discarded.requestSequence,
                ),
              )
            : say(sentence('active since request {0}', activated.requestSequence)),
          placeIn(session, activated.source, activated.line),
          bytesText(wording, activated.bytes),
        ]),
      ),
    ),
    '',
    `## ${say(sentence('Requests'))}`,
    '',
    ...list(
      state.requests.toArray().map(request => {
        const { sealed, receipt } = request;
        return [
          say(sentence('Request {0}', sealed.requestSequence)),
          bytesText(wording, sealed.bytes),
          ...(sealed.sizes ? [tokensText(wording, sealed.sizes.total)] : []),
          ...(sealed.price ? [differenceText(sealed.price, wording)] : []),
          receiptText(receipt, wording),
          answerText(request, wording),
        ].join('; ');
      }),
    ),
    '',
    `## ${say(sentence('What happened'))}`,
    '',
    ...list(events.map(event => `#${event.seq} ${time(event.time)}: ${renderShown(event, session, wording)}`)),
    ...(lastRequest === ''
      ? []
      : ['', `## ${say(sentence('The last request'))}`, '', ...lastRequest.split('\n').map(line => `    ${line}`)]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function list(items: readonly string[]): readonly string[] {
  return items.filter(item => item !== '').map(item => `- ${plainMarkdown(item)}`);
}
