import type { BlockState } from '../../protocol/lifecycle/lifecycleState.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { DirectiveOutcome } from '../sessionTypes.ts';

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

/** For a person: each block with its place, what is forgotten, what was sent, and where the log lies. */
export function statusText(state: SessionState, logFile: string): string {
  const blocks = [...state.lifecycle.blocks.values()];
  const ephemerals = state.lifecycle.ephemerals.toArray();
  const consumed = ephemerals.filter(({ consumed }) => consumed).length;
  const last = state.requests.get(state.requests.length - 1);
  return [
    startLine(state),
    ...blocks.map(describeBlock),
    `Ephemeral contents: ${ephemerals.length - consumed} in the context, ${consumed} forgotten.`,
    last
      ? `Requests: ${state.requests.length}; what left of the last one: ${last.receipt?.result ?? 'not seen yet'}.`
      : 'Requests: none yet.',
    `Log: ${logFile}`,
  ].join('\n');
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

/** Definitions of a source that did not become active. */
export function conflictSentences(outcomes: readonly DirectiveOutcome[], source: string): readonly string[] {
  return outcomes
    .filter(({ outcome }) => outcome === 'conflict')
    .map(({ blockId }) => `Block ${blockId} of ${source} is not active: its ID was taken before.`);
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
