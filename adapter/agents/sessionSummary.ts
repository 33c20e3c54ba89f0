import { type BlockState, type SourceState, sourceKey } from '../../protocol/lifecycle/lifecycleState.ts';
import { STRUCTURAL_CODES } from '../../protocol/lifecycle/problem.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { DirectiveOutcome, Session, Source } from '../sessionTypes.ts';

const STRUCTURAL: ReadonlySet<string> = STRUCTURAL_CODES;

/** What was seen of the last request on its way out. */
const LAST_REQUEST = {
  matched: 'the last one left as the log holds it',
  mismatch: 'the last one did not leave as the log holds it: see the log',
  quoted: 'the last one quotes a discarded block in an ordinary message: see the log',
  'not-reported': 'the agent does not say what left of the last one',
} as const;

/** IDs of active blocks, in definition order. */
export function activeBlocks(state: SessionState): readonly string[] {
  return [...state.lifecycle.blocks.values()].filter(isActive).map(({ id }) => id);
}

/** The one line that an agent shows at its start. */
export function startLine(state: SessionState): string {
  const ids = activeBlocks(state);
  return ids.length === 0
    ? 'Context Lifecycle: no block is active.'
    : `Context Lifecycle: ${ids.length === 1 ? '1 block is' : `${ids.length} blocks are`} active: ${ids.join(', ')}.`;
}

/** For a person: each block with its place, what is forgotten, what was sent, the session's name and where its log lies. */
export function statusText({ id, logFile, state }: Pick<Session, 'id' | 'logFile' | 'state'>): string {
  const blocks = [...state.lifecycle.blocks.values()];
  const ephemerals = state.lifecycle.ephemerals.toArray();
  const consumed = ephemerals.filter(({ consumed }) => consumed).length;
  const last = state.requests.get(state.requests.length - 1);
  return [
    startLine(state),
    ...blocks.map(describeBlock),
    `Ephemeral contents: ${ephemerals.length - consumed} in the context, ${consumed} forgotten.`,
    last
      ? `Requests: ${state.requests.length}; ${last.receipt ? LAST_REQUEST[last.receipt.result] : 'what left of the last one was not seen yet'}.`
      : 'Requests: none yet.',
    `Session: ${id}, in ${logFile}`,
  ].join('\n');
}

/** For a person: seed 3's report of the last request, or why there is none. */
export function usageText(session: Pick<Session, 'usageReport' | 'state'>): string {
  const report = session.usageReport();
  if (report) {
    return report.text;
  }
  return session.state.requests.length === 0
    ? 'Nothing was sent yet, so nothing was measured.'
    : 'Nothing was measured, because the budget layer is off. Set "budget": {"enabled": true} in config.json, and start the session again.';
}

/** What a person is told after asking for a discard. */
export function discardSentence(id: string, outcomes: readonly DirectiveOutcome[]): string {
  switch (outcomes[0]?.outcome) {
    case 'discarded':
      return `Block ${id} is discarded: it is in no request from the next one on.`;
    case 'repeated':
      return `Block ${id} was discarded before.`;
    case 'unknown':
      return `There is no block ${id}.`;
    case 'denied':
      return `Block ${id} stays: the policy does not let this command discard it.`;
    default:
      return `Block ${id} stays.`;
  }
}

/** What a person should know after a source was loaded: definitions that did not become active, and a changed file. */
export function sourceSentences(
  { source, class: sourceClass }: Source,
  outcomes: readonly DirectiveOutcome[],
  state: SessionState,
): readonly string[] {
  const known = state.lifecycle.sources.get(sourceKey(sourceClass, source));
  return [
    ...invalidBlocks(source, known),
    ...(known?.drifted?.drifted
      ? [`${source} is not what this session loaded first: its blocks stay as they were.`]
      : []),
    ...outcomes.flatMap(({ blockId, outcome }) => {
      switch (outcome) {
        case 'conflict':
          return [`Block ${blockId} of ${source} is not active: its ID was taken before.`];
        case 'denied':
          return [`A tag of ${source} about block ${blockId} does nothing: the policy does not allow it.`];
        default:
          return [];
      }
    }),
  ];
}

/** How many problems of a source are named. */
const NAMED = 3;

/** V1: an invalid block activates nothing, which nobody sees in the file. */
function invalidBlocks(source: string, known: SourceState | undefined): readonly string[] {
  const problems = known?.loaded.problems.filter(({ code }) => STRUCTURAL.has(code)) ?? [];
  const named = problems.slice(0, NAMED).map(({ code, line }) => `${code} in line ${line}`);
  const more = problems.length > NAMED ? [`${problems.length - NAMED} more`] : [];
  return problems.length === 0 ? [] : [`Not every block of ${source} is valid: ${[...named, ...more].join(', ')}.`];
}

function describeBlock({ id, status, activated, conflicts }: BlockState): string {
  const place = activated.line === undefined ? activated.source : `${activated.source}:${activated.line}`;
  const more =
    conflicts.length === 0 ? '' : `, also defined by ${Array.from(conflicts, ({ source }) => source).join(', ')}`;
  return `  ${id}: ${status}, from ${place}${more}`;
}

function isActive({ status }: BlockState): boolean {
  return status === 'active';
}
