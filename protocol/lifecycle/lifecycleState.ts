import type { Of } from '../shape.ts';
import type { Vector } from '../vector.ts';
import type { lifecycleEvents } from './lifecycleEvents.ts';
import type { SourceClass } from './policy.ts';

/** What an event said, with where and when it said it. */
export type Logged<Type extends keyof typeof lifecycleEvents> = Of<(typeof lifecycleEvents)[Type]> & {
  readonly seq: number;
  readonly time: number;
};

export interface BlockState {
  readonly id: string;
  /** V1 knows no way back. */
  readonly status: 'active' | 'discarded';
  readonly activated: Logged<'block/activated'>;
  /** Absent while it is active. */
  readonly discarded?: Logged<'block/discarded'>;
  /** Later definitions of the same ID, which do not count. */
  readonly conflicts: readonly Logged<'block/conflict'>[];
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

/** Seed 1's session after some events. Never changed: `reduceLifecycle` gives a new one. */
export interface LifecycleState {
  /** In definition order, discarded ones at their place. */
  readonly blocks: ReadonlyMap<string, BlockState>;
  readonly sources: ReadonlyMap<string, SourceState>;
  /** By `ordinal`. */
  readonly ephemerals: Vector<EphemeralState>;
}
