import type { Of } from '../shape.ts';
import type { Vector } from '../vector.ts';
import type { LifecycleEventType, lifecycleEvents } from './lifecycleEvents.ts';
import type { SourceClass } from './policy.ts';

/** What an event said, with where and when it said it. */
export type Logged<Type extends LifecycleEventType> = Of<(typeof lifecycleEvents)[Type]> & {
  readonly seq: number;
  readonly time: number;
};

export interface BlockState {
  readonly id: string;
  /** V1 knows no way back. */
  readonly status: 'active' | 'discarded';
  /** Without the block's text: no state depends on content. */
  readonly activated: Logged<'block/activated'>;
  /** Absent while it is active. */
  readonly discarded?: Logged<'block/discarded'>;
  /** Later definitions of the same ID, which do not count. */
  readonly conflicts: Vector<Logged<'block/conflict'>>;
}

export interface SourceState {
  readonly loaded: Logged<'source/loaded'>;
  /** Absent while the source has the text that it had when it was loaded. */
  readonly drifted?: Logged<'source/drifted'>;
}

export interface EphemeralState {
  readonly unit: string;
  readonly source: string;
  readonly class: SourceClass;
  readonly bytes: number;
  /** Absent where an answer was there before the session looked. */
  readonly admitted?: Logged<'ephemeral/admitted'>;
  /** Absent until an answer stands after it. */
  readonly consumed?: Logged<'ephemeral/consumed'>;
}

/** The same file may be loaded as instructions and reach the session in another class too: each has its own rights. */
export function sourceKey(sourceClass: SourceClass, source: string): string {
  return `${sourceClass}:${source}`;
}

/** Seed 1's session after some events. Never changed: `reduceLifecycle` gives a new one. */
export interface LifecycleState {
  /** In definition order, discarded ones at their place. */
  readonly blocks: ReadonlyMap<string, BlockState>;
  /** By `sourceKey`, in the order in which they were loaded. */
  readonly sources: ReadonlyMap<string, SourceState>;
  /** By `ordinal`. */
  readonly ephemerals: Vector<EphemeralState>;
}
