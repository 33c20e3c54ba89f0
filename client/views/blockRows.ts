import { type BlockState, sourceKey } from '../../protocol/lifecycle/lifecycleState.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import { grouped } from '../../protocol/log/countText.ts';
import { observeOnly } from '../../protocol/log/observeOnly.ts';
import { tokensText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { discarderShort, discarderText } from './discarders.ts';
import { bySession, type Drawing, greyed, openSource, placeIn, rowId } from './drawing.ts';
import { deniedIn, deniedRow, faultRow, faultsOf } from './faultRows.ts';
import { pagedRows } from './pages.ts';
import type { Row, RowSubject } from './row.ts';
import { beside, bytesText, paragraphs, shown, tokensSpoken } from './wording.ts';

/** Blocks: what is active, what was discarded and why, and what does not count. */
export function blockRows(sessions: PanelSessions, drawing: Drawing): readonly Row[] {
  return bySession(sessions, drawing, session => groups(session, drawing));
}

function groups(session: PanelSession, drawing: Drawing): readonly Row[] {
  const blocks = [...session.state.lifecycle.blocks.values()];
  const active = blocks.filter(({ status }) => status === 'active');
  const discarded = blocks.filter(({ status }) => status === 'discarded').sort(lastDiscardedFirst);
  const observed = observeOnly(session.state);
  const isKept = ({ activated }: BlockState): boolean => observed.has(activated.source);
  const faults = faultsOf(session, blocks);
  const denied = deniedIn(session.state);
  const bytes = active.reduce((sum, { activated }) => sum + activated.bytes, 0);
  const list = <Item>(name: string, title: Message, items: readonly Item[], row: RowOf<Item>, size = ''): Row[] =>
    items.length === 0
      ? []
      : [
          group(
            session,
            drawing,
            name,
            title,
            items.length,
            index => {
              const item = items[index];
              return item && row(session, item, drawing);
            },
            size,
          ),
        ];
  return [
    ...list('active', sentence('Active'), active, activeRow, bytesText(drawing.wording, bytes)),
    ...list('kept', sentence('Discarded, but still sent by the agent'), discarded.filter(isKept), discardedRow),
    ...list(
      'discarded',
      sentence('Discarded'),
      discarded.filter(block => !isKept(block)),
      discardedRow,
    ),
    ...list('faults', sentence('Invalid or in conflict'), faults, faultRow),
    ...list('denied', sentence('Not allowed to define'), denied, deniedRow),
  ];
}

type RowOf<Item> = (session: PanelSession, item: Item, drawing: Drawing) => Row;

function group(
  session: PanelSession,
  drawing: Drawing,
  name: string,
  title: Message,
  count: number,
  make: (index: number) => Row | undefined,
  size = '',
): Row {
  const { view, wording } = drawing;
  const id = rowId(view, session, name);
  const label = wording.say(title);
  const blocks = wording.say(count === 1 ? sentence('1 block') : sentence('{0} blocks', grouped(count)));
  return {
    id,
    label,
    description: beside([blocks, size]),
    spoken: wording.say(sentence('{0}: {1}.', label, blocks)),
    kind: `group.${name}`,
    children: () => pagedRows(id, count, make, drawing),
    expanded: true,
  };
}

function activeRow(session: PanelSession, block: BlockState, drawing: Drawing): Row {
  const { id, activated, conflicts } = block;
  const { view, wording, tokensOf } = drawing;
  const { say } = wording;
  const { source, line, bytes, requestSequence, endLine } = activated;
  const place = placeIn(session, source, line);
  const tokens = tokensOf(session, id);
  const isDrifted = drawing.isChanged(session, block) ?? isReported(session, block);
  const size = bytesText(wording, bytes);
  const observed = observeOnly(session.state).get(source);
  return {
    id: rowId(view, session, 'block', id),
    label: shown(id),
    description: beside([
      observed === undefined ? '' : say(sentence('observe only')),
      isDrifted ? say(sentence('file has changed')) : '',
      place,
      tokens ? tokensText(wording, tokens) : '',
      say(sentence('since request {0}', requestSequence)),
      size,
    ]),
    tooltip: paragraphs([
      say(sentence('Block {0} is active: it is part of every request since request {1}.', shown(id), requestSequence)),
      say(sentence('{0}, lines {1} to {2}', shown(source), line ?? 1, endLine)),
      tokens ? `${size}, ${tokensText(wording, tokens)}` : size,
      isDrifted ? say(DRIFTED) : '',
      observed === undefined ? '' : shown(observed, 400),
      conflicts.length === 0 ? '' : say(sentence('Later definitions that do not count: {0}', conflicts.length)),
    ]),
    icon: isDrifted ? 'diff-modified' : observed === undefined ? 'pass-filled' : 'eye',
    ...greyed(
      session,
      isDrifted ? 'gitDecoration.modifiedResourceForeground' : observed === undefined ? 'testing.iconPassed' : WARNING,
    ),
    spoken: [
      say(sentence('Block {0} is active since request {1}.', shown(id), requestSequence)),
      say(sentence('It starts at {0} and takes {1}.', place, size)),
      ...(tokens ? [tokensSpoken(wording, tokens)] : []),
      ...(isDrifted ? [say(DRIFTED)] : []),
      ...(observed === undefined ? [] : [say(sentence('Observe only: {0}', shown(observed, 400)))]),
    ].join(' '),
    about: aboutBlock(session, id),
    kind: ['block.active', ...(isDrifted ? ['drifted'] : []), ...(canDiscard(session) ? ['mayDiscard'] : [])].join('.'),
    ...openSource(session, source, line, wording),
  };
}

/** Shown in the request as of which the session is shown. */
function aboutBlock({ key, asOf }: PanelSession, blockId: string): RowSubject {
  return { session: key, blockId, ...(asOf !== undefined && { request: asOf }) };
}

/** The session has loaded the file again and found another text in it. */
function isReported({ state }: PanelSession, { activated }: BlockState): boolean {
  return state.lifecycle.sources.get(sourceKey(activated.class, activated.source))?.drifted?.drifted ?? false;
}

function canDiscard({ mayDiscard, link }: PanelSession): boolean {
  return mayDiscard && link.kind === 'connected';
}

const WARNING = 'problemsWarningIcon.foreground';

const DRIFTED = sentence('The file has changed since; the session keeps the text that it loaded.');

function discardedRow(session: PanelSession, { id, activated, discarded }: BlockState, drawing: Drawing): Row {
  const { view, wording } = drawing;
  const { say, time } = wording;
  const { source, line } = activated;
  const place = placeIn(session, source, line);
  const by = discarded ? discarderText(discarded, session.header.cwd, wording) : '';
  const since = discarded?.requestSequence ?? 0;
  const observed = observeOnly(session.state).get(source);
  const what =
    observed === undefined
      ? say(sentence('Block {0} was discarded by {1}: it is absent from request {2} on.', shown(id), by, since))
      : say(
          sentence(
            'Block {0} was discarded by {1} at request {2}, but the agent still sends it by itself.',
            shown(id),
            by,
            since,
          ),
        );
  return {
    id: rowId(view, session, 'block', id),
    label: shown(id),
    description: beside([
      discarded ? say(sentence('by {0}', discarderShort(discarded, wording))) : '',
      observed === undefined ? say(sentence('gone from request {0} on', since)) : say(sentence('still sent')),
      place,
      bytesText(wording, activated.bytes),
    ]),
    tooltip: paragraphs([
      what,
      observed === undefined ? '' : shown(observed, 400),
      discarded ? say(sentence('When: {0}', time(discarded.time))) : '',
      discarded ? say(sentence('Why it was allowed: {0}', shown(discarded.rule, 400))) : '',
      say(sentence('Defined in {0}, lines {1} to {2}', shown(source), line ?? 1, activated.endLine)),
      say(sentence('It was active from request {0} on.', activated.requestSequence)),
    ]),
    icon: observed === undefined ? 'circle-slash' : 'eye',
    ...greyed(session, observed === undefined ? 'descriptionForeground' : WARNING),
    spoken: [what, say(sentence('It starts at {0} and took {1}.', place, bytesText(wording, activated.bytes)))].join(
      ' ',
    ),
    about: aboutBlock(session, id),
    kind: 'block.discarded',
    ...openSource(session, source, line, wording),
  };
}

function lastDiscardedFirst(one: BlockState, other: BlockState): number {
  return (other.discarded?.seq ?? 0) - (one.discarded?.seq ?? 0);
}
