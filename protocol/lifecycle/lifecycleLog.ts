import type { LifecycleEvent } from './lifecycleEvents.ts';
import type { LifecycleState } from './lifecycleState.ts';

/** The session's log, as far as seed 1 needs it. */
export interface LifecycleLog {
  /** After every event that was appended. */
  state(): LifecycleState;
  /** The event is part of the state when it returns. What it throws goes on to the caller, and nothing else has happened. */
  append(event: LifecycleEvent): void;
  /** From 1: the request that is being built, or the next one. */
  requestSequence(): number;
}
