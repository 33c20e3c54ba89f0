import type { BlockState, Logged, SourceState } from '../../protocol/lifecycle/lifecycleState.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { AuditEntry, SessionState } from '../../protocol/log/sessionState.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { type Drawing, greyed, openSource, placeIn, rowId } from './drawing.ts';
import type { Row } from './row.ts';
import { beside, paragraphs, shown } from './wording.ts';

/** What does not count of a source. */
export type Fault =
  | { readonly kind: 'conflict'; readonly conflict: Logged<'block/conflict'> }
  | { readonly kind: 'invalid'; readonly source: string; readonly problem: Problem };

type Problem = SourceState['loaded']['problems'][number];

/** What does not count of the sources of a session: definitions in conflict, and invalid ones. */
export function faultsOf({ state: { lifecycle } }: PanelSession, blocks: readonly BlockState[]): readonly Fault[] {
  const conflicts = blocks.flatMap(({ conflicts }) =>
    conflicts.length === 0 ? [] : conflicts.toArray().map((conflict): Fault => ({ kind: 'conflict', conflict })),
  );
  const invalid = [...lifecycle.sources.values()].flatMap(({ loaded: { source, problems } }) =>
    problems.map((problem): Fault => ({ kind: 'invalid', source, problem })),
  );
  return [...conflicts, ...invalid];
}

export function faultRow(session: PanelSession, fault: Fault, drawing: Drawing): Row {
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

const knownDenials = new WeakMap<SessionState['audit'], readonly AuditEntry[]>();

/** Valid definitions of sources that the policy does not let define, each once, in the order in which they were refused. */
export function deniedIn({ audit }: Pick<SessionState, 'audit'>): readonly AuditEntry[] {
  const known = knownDenials.get(audit);
  if (known) {
    return known;
  }
  const found = new Map<string, AuditEntry>();
  for (const entry of audit) {
    if (entry.type === 'block/denied') {
      const key = JSON.stringify([entry.source, entry.blockId]);
      found.set(key, found.get(key) ?? entry);
    }
  }
  const denials = [...found.values()];
  knownDenials.set(audit, denials);
  return denials;
}

/** The line of the definition is in the log, so the row leads there as soon as that is known. */
export function deniedRow(session: PanelSession, entry: AuditEntry, drawing: Drawing): Row {
  const { view, wording, eventOf } = drawing;
  const { say } = wording;
  const { blockId = '', source = '', seq } = entry;
  const { line, rule } = (eventOf(session, seq)?.data ?? {}) as { readonly line?: unknown; readonly rule?: unknown };
  const place = placeIn(session, source, typeof line === 'number' ? line : undefined);
  const whole = say(
    sentence('Block {0} of {1} does not count: the policy lets this source define no blocks.', shown(blockId), place),
  );
  return {
    id: rowId(view, session, 'denied', seq),
    label: shown(blockId),
    description: beside([say(sentence('not allowed to define')), place]),
    tooltip: paragraphs([
      whole,
      shown(source),
      typeof rule === 'string' ? say(sentence('Rule: {0}', shown(rule, 400))) : '',
    ]),
    icon: 'shield',
    ...greyed(session, 'problemsWarningIcon.foreground'),
    spoken: whole,
    about: { session: session.key, blockId },
    kind: 'block.denied',
    ...openSource(session, source, typeof line === 'number' ? line : undefined, wording),
  };
}
