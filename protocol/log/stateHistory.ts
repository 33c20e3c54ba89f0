import type { LogEvent } from '../request/logEvent.ts';
import { initialState, reduce } from './reduce.ts';
import type { SessionState } from './sessionState.ts';

/** Events between two states that are kept; a jump folds fewer than this. */
const SPACING = 256;

/**
 * A session's states, past ones too: every so often one is kept, from which those behind it are folded when somebody asks.
 * It holds the events that it was given, so give it events without content where content is not wanted in memory.
 */
export class StateHistory {
  readonly #start: number;
  readonly #events: LogEvent[] = [];
  /** After `#start`, after `#start + SPACING` … events. */
  readonly #checkpoints: SessionState[];
  #latest: SessionState;

  /** `start` is what is known without its events: a snapshot. */
  constructor(start: SessionState = initialState) {
    this.#start = start.nextSeq;
    this.#checkpoints = [start];
    this.#latest = start;
  }

  /** After all events. */
  get latest(): SessionState {
    return this.#latest;
  }

  /** Throws `CorruptLogError`, and changes nothing, when the event contradicts those before it. */
  append(event: LogEvent): void {
    this.#latest = reduce(this.#latest, event);
    this.#events.push(event);
    if (this.#events.length % SPACING === 0) {
      this.#checkpoints.push(this.#latest);
    }
  }

  /**
   * The state whose `nextSeq` is this: after the event before it, and before the event with this `seq`. Absent before the
   * start and after the last event.
   */
  at(nextSeq: number): SessionState | undefined {
    const count = nextSeq - this.#start;
    if (!Number.isSafeInteger(count) || count < 0 || count > this.#events.length) {
      return undefined;
    }
    const kept = Math.floor(count / SPACING);
    let state = this.#checkpoints[kept];
    for (const event of this.#events.slice(kept * SPACING, count)) {
      state = state && reduce(state, event);
    }
    return state;
  }

  /** The event with this `seq`; absent where only a snapshot stands for it. */
  event(seq: number): LogEvent | undefined {
    return this.#events[seq - this.#start];
  }
}
