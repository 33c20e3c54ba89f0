import { MAX_LINE_LENGTH } from '../protocol/log/logReader.ts';
import { readEvent } from '../protocol/log/readEvent.ts';
import { initialState, reduce } from '../protocol/log/reduce.ts';
import type { NewEvent } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import { CorruptLogError } from '../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { RequestHistory } from '../protocol/request/requestHistory.ts';
import { isTooLong } from './eventLength.ts';
import { UnloggableEventError } from './requestErrors.ts';

/** Where committed events go; `local/logWriter.ts` is one. */
export interface EventWriter {
  /** The events are in the file when it returns; throws when they are not, or not all. */
  append(events: readonly LogEvent[]): void;
}

/** Events that listeners may add while they are told of some. */
const MOST_ANSWERS = 10_000;

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
  /** Listeners were told of those before it. */
  #told: number;
  #isTelling = false;
  /** Where the events begin that listeners are being told of. */
  #tellingFrom = 0;

  /** `past` are the events that the file holds already. Throws `CorruptLogError` where they contradict each other. */
  constructor(writer: EventWriter, past: readonly LogEvent[], now: () => number) {
    this.#writer = writer;
    this.#now = now;
    for (const event of past) {
      this.#take(event);
    }
    this.#committed = past.length;
    this.#told = past.length;
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

  /**
   * `time` in Unix milliseconds, where it is not now that it happens. Throws `UnloggableEventError` for what no reader of the log
   * would take, such as a number of tokens that is none; nothing is appended then.
   */
  append(event: NewEvent, time = this.#now()): LogEvent {
    const placed = checked({ ...event, seq: this.#events.length, time });
    this.#take(placed);
    return placed;
  }

  /**
   * Writes what was appended, then tells the listeners, each of every event in order, also where a listener appends more.
   * Throws what the writer throws; nobody was told then.
   */
  commit(): void {
    const fresh = this.#events.slice(this.#committed);
    if (fresh.length === 0) {
      return;
    }
    this.#writer.append(fresh);
    this.#committed = this.#events.length;
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    this.#tellingFrom = this.#told;
    for (let event = this.#nextUntold(); event; event = this.#nextUntold()) {
      for (const listener of [...this.#listeners]) {
        tell(listener, event);
      }
    }
    this.#isTelling = false;
  }

  /** Throws `UnloggableEventError` for a listener that answers each event with another: it would never end, and fill the disk. */
  requireEnd(): void {
    if (this.#isTelling && this.#events.length - this.#tellingFrom > MOST_ANSWERS) {
      throw new UnloggableEventError('what a listener says', 'listeners answer each event with another, without end');
    }
  }

  onEvent(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #nextUntold(): LogEvent | undefined {
    return this.#told < this.#committed ? this.#events[this.#told++] : undefined;
  }

  #take(event: LogEvent): void {
    this.#state = reduce(this.#state, event);
    this.history.append(event);
    this.#events.push(Object.freeze(event));
  }
}

/** What is logged must be read again: a fault here would make the log unreadable from this event on. */
function checked(event: object): LogEvent {
  const { type, seq, data } = event as LogEvent;
  try {
    Object.freeze(data);
    const placed = readEvent(event, seq);
    if (isTooLong(placed)) {
      throw new UnloggableEventError(
        type,
        `it is longer than ${MAX_LINE_LENGTH} characters`,
        'Give the agent less at once.',
      );
    }
    return placed;
  } catch (error) {
    throw error instanceof CorruptLogError ? new UnloggableEventError(type, error.reason) : error;
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
