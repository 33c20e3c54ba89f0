import { type BlockState, type Logged, type SourceState, sourceKey } from '../../protocol/lifecycle/lifecycleState.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { bySession, classText, type Drawing, greyed, openSource, placeIn, rowId } from './drawing.ts';
import { pagedRows } from './pages.ts';
import type { Row, RowSubject } from './row.ts';
import { beside, bytesText, paragraphs, shown, tokensSpoken, tokensText } from './wording.ts';

/** Blocks: what is active, what was discarded and why, and what does not count. */
export function blockRows(sessions: PanelSessions, drawing: Drawing): readonly Row[] {
  return bySession(sessions, drawing, session => groups(session, drawing));
}

/** What does not count of a source. */
type Fault =
  | { readonly kind: 'conflict'; readonly conflict: Logged<'block/conflict'> }
  | { readonly kind: 'invalid'; readonly source: string; readonly problem: Problem };

type Problem = SourceState['loaded']['problems'][number];

function groups(session: PanelSession, drawing: Drawing): readonly Row[] {
  const blocks = [...session.state.lifecycle.blocks.values()];
  const active = blocks.filter(({ status }) => status === 'active');
  const discarded = blocks.filter(({ status }) => status === 'discarded').sort(lastDiscardedFirst);
  const faults = faultsOf(session, blocks);
  const bytes = active.reduce((sum, { activated }) => sum + activated.bytes, 0);
  const { wording } = drawing;
  return [
    ...(active.length === 0
      ? []
      : [
          group(
            session,
            drawing,
            'active',
            sentence('Active'),
            active.length,
            index => {
              const block = active[index];
              return block && activeRow(session, block, drawing);
            },
            bytesText(wording, bytes),
          ),
        ]),
    ...(discarded.length === 0
      ? []
      : [
          group(session, drawing, 'discarded', sentence('Discarded'), discarded.length, index => {
            const block = discarded[index];
            return block && discardedRow(session, block, drawing);
          }),
        ]),
    ...(faults.length === 0
      ? []
      : [
          group(session, drawing, 'faults', sentence('Invalid or in conflict'), faults.length, index => {
            const fault = faults[index];
            return fault && faultRow(session, fault, drawing);
          }),
        ]),
  ];
}

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
  const blocks = wording.say(count === 1 ? sentence('1 block') : sentence('{0} blocks', count));
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
  return {
    id: rowId(view, session, 'block', id),
    label: shown(id),
    description: beside([
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
      conflicts.length === 0 ? '' : say(sentence('Later definitions that do not count: {0}', conflicts.length)),
    ]),
    icon: isDrifted ? 'diff-modified' : 'pass-filled',
    ...greyed(session, isDrifted ? 'gitDecoration.modifiedResourceForeground' : 'testing.iconPassed'),
    spoken: [
      say(sentence('Block {0} is active since request {1}.', shown(id), requestSequence)),
      say(sentence('It starts at {0} and takes {1}.', place, size)),
      ...(tokens ? [tokensSpoken(wording, tokens)] : []),
      ...(isDrifted ? [say(DRIFTED)] : []),
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

const DRIFTED = sentence('The file has changed since; the session keeps the text that it loaded.');

function discardedRow(session: PanelSession, { id, activated, discarded }: BlockState, drawing: Drawing): Row {
  const { view, wording } = drawing;
  const { say, time } = wording;
  const { source, line } = activated;
  const place = placeIn(session, source, line);
  const by = discarded ? discarderText(session, discarded, drawing) : '';
  const since = discarded?.requestSequence ?? 0;
  return {
    id: rowId(view, session, 'block', id),
    label: shown(id),
    description: beside([
      discarded ? say(sentence('by {0}', discarderShort(discarded, drawing))) : '',
      say(sentence('gone from request {0} on', since)),
      place,
      bytesText(wording, activated.bytes),
    ]),
    tooltip: paragraphs([
      say(sentence('Block {0} was discarded by {1}: it is absent from request {2} on.', shown(id), by, since)),
      discarded ? say(sentence('When: {0}', time(discarded.time))) : '',
      discarded ? say(sentence('Why it was allowed: {0}', shown(discarded.rule, 400))) : '',
      say(sentence('Defined in {0}, lines {1} to {2}', shown(source), line ?? 1, activated.endLine)),
      say(sentence('It was active from request {0} on.', activated.requestSequence)),
    ]),
    icon: 'circle-slash',
    ...greyed(session, 'descriptionForeground'),
    spoken: [
      say(sentence('Block {0} was discarded by {1}: it is absent from request {2} on.', shown(id), by, since)),
      say(sentence('It starts at {0} and took {1}.', place, bytesText(wording, activated.bytes))),
    ].join(' '),
    about: aboutBlock(session, id),
    kind: 'block.discarded',
    ...openSource(session, source, line, wording),
  };
}

/** A narrow sidebar shows little: the file's name is enough where the tooltip says the rest. */
function discarderShort({ source, connection }: Logged<'block/discarded'>, { wording: { say } }: Drawing): string {
  const name = source.split(/[\\/]/).at(-1) ?? source;
  return connection === undefined ? shown(name) : say(sentence('an editor'));
}

/** Who discarded: a source with its class, or somebody at an editor. */
export function discarderText(
  session: PanelSession,
  { source, line, class: sourceClass, connection }: Logged<'block/discarded'>,
  { wording }: Pick<Drawing, 'wording'>,
): string {
  return connection === undefined
    ? wording.say(sentence('{0} ({1})', placeIn(session, source, line), classText(wording, sourceClass)))
    : wording.say(sentence('an editor (connection {0})', shown(connection, 40)));
}

function lastDiscardedFirst(one: BlockState, other: BlockState): number {
  return (other.discarded?.seq ?? 0) - (one.discarded?.seq ?? 0);
}

function faultsOf({ state: { lifecycle } }: PanelSession, blocks: readonly BlockState[]): readonly Fault[] {
  const conflicts = blocks.flatMap(({ conflicts }) =>
    conflicts.length === 0 ? [] : conflicts.toArray().map((conflict): Fault => ({ kind: 'conflict', conflict })),
  );
  const invalid = [...lifecycle.sources.values()].flatMap(({ loaded: { source, problems } }) =>
    problems.map((problem): Fault => ({ kind: 'invalid', source, problem })),
  );
  return [...conflicts, ...invalid];
}

function faultRow(session: PanelSession, fault: Fault, drawing: Drawing): Row {
  return fault.kind === 'conflict'
    ? conflictRow(session, fault.conflict, drawing)
    : invalidRow(session, fault.source, fault.problem, drawing);
}

function conflictRow(session: PanelSession, conflict: Logged<'block/conflict'>, { view, wording }: Drawing): Row {
  const { blockId, source, line, winner, seq } = conflict;
  const { say } = wording;
  const place = placeIn(session, source, line);
  const first = placeIn(session, winner.source, winner.line);
  const whole = say(
    sentence(
      'Block {0} of {1} is in conflict and does not count: {2} defined that ID first.',
      shown(blockId),
      place,
      first,
    ),
  );
  return {
    id: rowId(view, session, 'conflict', seq),
    label: shown(blockId),
    description: beside([say(sentence('conflict')), place, say(sentence('{0} was first', first))]),
    tooltip: paragraphs([whole, shown(source), shown(winner.source)]),
    icon: 'warning',
    ...greyed(session, 'problemsWarningIcon.foreground'),
    spoken: whole,
    about: { session: session.key, blockId },
    kind: 'block.conflict',
    ...openSource(session, source, line, wording),
  };
}

function invalidRow(
  session: PanelSession,
  source: string,
  { code, line, blockId }: Problem,
  { view, wording }: Drawing,
): Row {
  const { say } = wording;
  const place = placeIn(session, source, line);
  const isKnown = Object.hasOwn(PROBLEMS, code);
  const what = isKnown ? say({ template: PROBLEMS[code as keyof typeof PROBLEMS], values: [] }) : shown(code, 60);
  const whole = say(sentence('Invalid at {0}, so it activates nothing: {1}.', place, what));
  return {
    id: rowId(view, session, 'invalid', source, line, code, blockId ?? ''),
    label: blockId === undefined ? what : shown(blockId),
    description: beside([say(sentence('invalid')), place, blockId === undefined ? '' : what]),
    tooltip: paragraphs([whole, shown(source)]),
    icon: 'error',
    ...greyed(session, 'problemsErrorIcon.foreground'),
    spoken: whole,
    kind: 'block.invalid',
    ...openSource(session, source, line, wording),
  };
}

const PROBLEMS = {
  'duplicate-block-id': 'this ID is defined twice in the file',
  'nested-block': 'a block opens inside another one',
  'mismatched-block-end': 'the closing line names another block',
  'unexpected-block-end': 'a closing line without an open block',
  'unclosed-block': 'the block is never closed',
  'malformed-tag': 'a line is almost a tag, but not exactly',
} as const;
