import type { BlockState, Logged } from '../../protocol/lifecycle/lifecycleState.ts';
import { observeOnly } from '../../protocol/log/observeOnly.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { DocumentBlock, DocumentTags } from './documentTags.ts';
import type { Refusal } from './refusedDiscards.ts';

/**
 * What a session has made of a tag line. `discards` and `refused` stand on discard lines, all others on opening lines. `kept` is
 * discarded, but the agent goes on to send it by itself.
 */
export type MarkState =
  | 'active'
  | 'drifted'
  | 'discarded'
  | 'kept'
  | 'conflict'
  | 'denied'
  | 'absent'
  | 'discards'
  | 'refused';

export const MARK_STATES: readonly MarkState[] = [
  'active',
  'drifted',
  'discarded',
  'kept',
  'conflict',
  'denied',
  'absent',
  'discards',
  'refused',
];

/** One mark. Lines count from 0. */
export interface TagMark {
  readonly state: MarkState;
  readonly blockId: string;
  readonly line: number;
  /** Of the closing line; absent for a discard and for a block that is never closed. */
  readonly endLine?: number;
  /** Absent where the session has no block of this ID from this file. */
  readonly block?: BlockState;
  /** What was defined first, where this definition does not count. */
  readonly winner?: { readonly source: string; readonly line?: number };
  /** Why a discard changed nothing. */
  readonly refusal?: Refusal;
  /** Why the agent sends the block's source by itself, whatever is discarded; absent where it does not. */
  readonly observed?: string;
  /** Whether the model was sent a request since the block became active, or since it was discarded. */
  readonly sent: boolean;
  /** The document says something else than what was activated. */
  readonly changed: boolean;
}

/**
 * What a session has made of each tag line of a document, in document order. Empty where the document is no source of the
 * session: `isThis` says whether a source's name means it. `refused` has the discards of it that changed nothing.
 */
export function tagMarks(
  { blocks, discards }: DocumentTags,
  state: Pick<SessionState, 'lifecycle' | 'requests' | 'problems'>,
  isThis: (source: string) => boolean,
  refused: ReadonlyMap<string, Refusal> = new Map(),
): readonly TagMark[] {
  const { lifecycle, requests } = state;
  const loaded = [...lifecycle.sources.values()].filter(source => isThis(source.loaded.source));
  const sent = (request: number): boolean => request <= requests.length;
  const read = discards.flatMap(({ id, line }): readonly TagMark[] => {
    const block = lifecycle.blocks.get(id);
    const by = block?.discarded;
    if (block && by?.line !== undefined && isThis(by.source)) {
      return [{ state: 'discards', blockId: id, line, block, sent: sent(by.requestSequence), changed: false }];
    }
    const refusal = refused.get(id);
    return refusal ? [{ state: 'refused', blockId: id, line, refusal, sent: true, changed: false }] : [];
  });
  if (loaded.length === 0 && ![...lifecycle.blocks.values()].some(({ activated }) => isThis(activated.source))) {
    return read;
  }
  const known = new Set(loaded.flatMap(source => source.loaded.blocks));
  const marks = blocks.flatMap(block => markOf(block, state, isThis, known, sent));
  return [...marks, ...read].toSorted((a, b) => a.line - b.line);
}

function markOf(
  block: DocumentBlock,
  { lifecycle, problems }: Pick<SessionState, 'lifecycle' | 'problems'>,
  isThis: (source: string) => boolean,
  known: ReadonlySet<string>,
  sent: (request: number) => boolean,
): readonly TagMark[] {
  const { id, line, endLine, valid } = block;
  const place = { blockId: id, line, ...(endLine !== undefined && { endLine }) };
  const state = lifecycle.blocks.get(id);
  if (state && isThis(state.activated.source)) {
    const changed = !valid || !block.is(state.activated.sha256);
    const since = state.discarded ?? state.activated;
    const observed = observeOnly({ problems }).get(state.activated.source);
    return [
      {
        ...place,
        state: stateOf(state, changed, observed !== undefined),
        block: state,
        sent: sent(since.requestSequence),
        changed,
        ...(observed !== undefined && { observed }),
      },
    ];
  }
  if (!valid) {
    // The server says what is wrong with it; no session has anything to add.
    return [];
  }
  const conflict = state && conflictOf(state, isThis);
  if (conflict) {
    const { source, line: winning } = conflict.winner;
    const winner = { source, ...(winning !== undefined && { line: winning }) };
    return [{ ...place, state: 'conflict', winner, sent: true, changed: false }];
  }
  return [{ ...place, state: known.has(id) ? 'denied' : 'absent', sent: true, changed: false }];
}

function stateOf({ status }: BlockState, changed: boolean, observed: boolean): MarkState {
  if (status === 'discarded') {
    return observed ? 'kept' : 'discarded';
  }
  return changed ? 'drifted' : 'active';
}

function conflictOf(
  { conflicts }: BlockState,
  isThis: (source: string) => boolean,
): Logged<'block/conflict'> | undefined {
  return conflicts.toArray().find(({ source }) => isThis(source));
}
