import { setImmediate } from 'node:timers/promises';
import type { RequestState, SessionState } from '../../protocol/log/sessionState.ts';
import { StateHistory } from '../../protocol/log/stateHistory.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

/** Events that are asked for at once. */
const PIECE = 5_000;
const SLICE_MS = 10;

/**
 * A session's states of before, by the shared reducer. Its events are asked for when somebody wants to see the past for the first
 * time, in pieces, and are kept from then on, with states between which a jump is short.
 */
export class PastStates {
  readonly #read: (from: number, to: number) => Promise<readonly LogEvent[]>;
  readonly #history = new StateHistory();
  #reading: Promise<void> = Promise.resolve();

  /** `read` gives events by seq, from the first on: as many as there are, or more where that is no more work. */
  constructor(read: (from: number, to: number) => Promise<readonly LogEvent[]>) {
    this.#read = read;
  }

  /** As it was when the request had been sealed. Rejects with what `read` says, and where it gives less than was there. */
  async at({ sealed }: RequestState): Promise<SessionState> {
    const nextSeq = sealed.seq + 1;
    const reading = this.#reading.catch(() => {}).then(() => this.#readTo(nextSeq));
    this.#reading = reading;
    await reading;
    const state = this.#history.at(nextSeq);
    if (!state) {
      throw new Error(`The events before request ${sealed.requestSequence} are not there any more.`);
    }
    return state;
  }

  async #readTo(nextSeq: number): Promise<void> {
    for (let from = this.#known; from < nextSeq; from = this.#known) {
      const events = await this.#read(from, Math.min(nextSeq, from + PIECE));
      if (events.length === 0) {
        return;
      }
      let sliceEnd = performance.now() + SLICE_MS;
      for (const event of events) {
        if (performance.now() > sliceEnd) {
          await setImmediate();
          sliceEnd = performance.now() + SLICE_MS;
        }
        this.#history.append(event);
      }
    }
  }

  get #known(): number {
    return this.#history.latest.nextSeq;
  }
}

/** Throws, with a sentence, where the session has sealed no such request. */
export function requestOf({ requests }: SessionState, requestSequence: number): RequestState {
  const request = requests.get(requestSequence - 1);
  if (!request) {
    throw new Error(`This session has sealed no request ${requestSequence}.`);
  }
  return request;
}
