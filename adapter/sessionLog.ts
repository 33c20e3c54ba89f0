import { initialState, reduce } from '../protocol/log/reduce.ts';
import type { NewEvent } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { RequestHistory } from '../protocol/request/requestHistory.ts';

/** Where committed events go; `local/logWriter.ts` is one. */
export interface EventWriter {
  /** The events are in the file when it returns; throws when they are not, or not all. */
  append(events: readonly LogEvent[]): void;
}

/**
 * The log of one instance in memory: events get their place and time, state and history follow, and `commit` brings them to
 * disk before anybody is told (DESIGN, The log: durable before announced).
 */
export class SessionLog {
  readonly #writer: EventWriter;
  readonly #now: () => number;
  readonly #events: LogEvent[] = [];
  readonly #listeners = new Set<(event: LogEvent) => void>();
  readonly history = new RequestHistory();
  #state = initialState;
  #committed: number;

  /** `past` are the events that the file holds already. Throws `CorruptLogError` where they contradict each other. */
  constructor(writer: EventWriter, past: readonly LogEvent[], now: () => number) {
    this.#writer = writer;
    this.#now = now;
    for (const event of past) {
      this.#take(event);
    }
    this.#committed = past.length;
  }

  /** After every event, those that are not on disk yet too. */
  get state(): SessionState {
    return this.#state;
  }

  /** Those that are on disk. */
  get committed(): readonly LogEvent[] {
    return this.#committed === this.#events.length ? this.#events : this.#events.slice(0, this.#committed);
  }

  /** From a seq on, those that are not on disk yet too. */
  eventsFrom(seq: number): readonly LogEvent[] {
    return this.#events.slice(seq);
  }

  get nextSeq(): number {
    return this.#events.length;
  }

  /** `time` in Unix milliseconds, where it is not now that it happens. */
  append(event: NewEvent, time = this.#now()): LogEvent {
    const placed = { ...event, seq: this.#events.length, time } as unknown as LogEvent;
    this.#take(placed);
    return placed;
  }

  /** Writes what was appended, then tells the listeners. Throws what the writer throws; nobody was told then. */
  commit(): void {
    const fresh = this.#events.slice(this.#committed);
    if (fresh.length === 0) {
      return;
    }
    this.#writer.append(fresh);
    this.#committed = this.#events.length;
    for (const event of fresh) {
      this.#listeners.forEach(listener => tell(listener, event));
    }
  }

  onEvent(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #take(event: LogEvent): void {
    this.#state = reduce(this.#state, event);
    this.history.append(event);
    this.#events.push(Object.freeze(event));
  }
}

/** The event is in the log whatever a listener does: its fault is not the agent's, which must not stop for it. */
function tell(listener: (event: LogEvent) => void, event: LogEvent): void {
  try {
    listener(event);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  }
}
