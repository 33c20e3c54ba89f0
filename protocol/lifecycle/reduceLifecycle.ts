import { OrderedMap } from '../orderedMap.ts';
import { CorruptLogError } from '../request/corruptLogError.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { Vector } from '../vector.ts';
import type { LifecycleEvent, LifecycleEventType } from './lifecycleEvents.ts';
import { type BlockState, type LifecycleState, type Logged, sourceKey } from './lifecycleState.ts';

/** Before the first event. */
export const EMPTY_LIFECYCLE: LifecycleState = Object.freeze({
  blocks: OrderedMap.empty<never>(),
  sources: OrderedMap.empty<never>(),
  ephemerals: Vector.empty<never>(),
});

/**
 * The state after one more event, whose data is known to have its shape; the state given is not changed. Events of other
 * types, and those that change nothing here, give the state itself. Throws `CorruptLogError` when the event contradicts
 * the events before it.
 */
export function reduceLifecycle(state: LifecycleState, event: LogEvent): LifecycleState {
  const { type, data } = event as unknown as LifecycleEvent & LogEvent;
  switch (type) {
    case 'source/loaded': {
      const loaded = logged<typeof type>(data, event);
      return withSource(state, sourceKey(data.class, data.source), { loaded });
    }
    case 'source/drifted':
      return drifted(state, logged<typeof type>(data, event));
    case 'block/activated':
      return activated(state, logged<typeof type>(data, event));
    case 'block/conflict': {
      const block = blockOf(state, data.blockId, event);
      return withBlock(state, { ...block, conflicts: block.conflicts.push(logged<typeof type>(data, event)) });
    }
    case 'block/discarded': {
      const block = blockOf(state, data.blockId, event);
      if (block.status === 'discarded') {
        throw contradiction(event, `it discards the block ${JSON.stringify(data.blockId)}, which is discarded already`);
      }
      return withBlock(state, { ...block, status: 'discarded', discarded: logged<typeof type>(data, event) });
    }
    case 'ephemeral/admitted':
      return admitted(state, logged<typeof type>(data, event));
    case 'ephemeral/consumed':
      return consumed(state, logged<typeof type>(data, event));
    default:
      return state;
  }
}

function logged<Type extends LifecycleEventType>(data: object, { seq, time }: LogEvent): Logged<Type> {
  return { ...(data as Logged<Type>), seq, time };
}

function drifted(state: LifecycleState, event: Logged<'source/drifted'>): LifecycleState {
  const key = sourceKey(event.class, event.source);
  const source = state.sources.get(key);
  if (!source) {
    throw contradiction(event, 'it is about a source that was never loaded');
  }
  return withSource(state, key, event.drifted ? { loaded: source.loaded, drifted: event } : { loaded: source.loaded });
}

function activated(state: LifecycleState, event: Logged<'block/activated'>): LifecycleState {
  const { blockId: id } = event;
  if (state.blocks.has(id)) {
    throw contradiction(event, `it defines the block ${JSON.stringify(id)}, which is defined already`);
  }
  const { text: _, ...withoutText } = event;
  return withBlock(state, { id, status: 'active', activated: withoutText, conflicts: Vector.empty() });
}

function admitted(state: LifecycleState, event: Logged<'ephemeral/admitted'>): LifecycleState {
  const { ordinal, unit, source, class: sourceClass, bytes } = event;
  if (ordinal !== state.ephemerals.length) {
    throw contradiction(event, 'its ordinal is not the next');
  }
  const entry = { unit, source, class: sourceClass, bytes, admitted: event };
  return { ...state, ephemerals: state.ephemerals.push(entry) };
}

function consumed(state: LifecycleState, event: Logged<'ephemeral/consumed'>): LifecycleState {
  const { ordinal, unit, source, class: sourceClass, bytes } = event;
  const before = state.ephemerals.get(ordinal);
  if (before ? before.consumed || before.unit !== unit : ordinal !== state.ephemerals.length) {
    throw contradiction(event, 'its ordinal is neither the next nor that of a unit that waits to be consumed');
  }
  return {
    ...state,
    ephemerals: before
      ? state.ephemerals.set(ordinal, { ...before, consumed: event })
      : state.ephemerals.push({ unit, source, class: sourceClass, bytes, consumed: event }),
  };
}

function blockOf(state: LifecycleState, id: string, event: LogEvent): BlockState {
  const block = state.blocks.get(id);
  if (!block) {
    throw contradiction(event, `it is about the block ${JSON.stringify(id)}, which nothing has defined`);
  }
  return block;
}

function withBlock(state: LifecycleState, block: BlockState): LifecycleState {
  return { ...state, blocks: OrderedMap.of(state.blocks).with(block.id, block) };
}

function withSource(
  state: LifecycleState,
  key: string,
  source: { readonly loaded: Logged<'source/loaded'>; readonly drifted?: Logged<'source/drifted'> },
): LifecycleState {
  return { ...state, sources: OrderedMap.of(state.sources).with(key, source) };
}

function contradiction({ seq }: { readonly seq: number }, reason: string): CorruptLogError {
  return new CorruptLogError(seq, seq, reason);
}
