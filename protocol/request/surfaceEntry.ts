import { faultAt } from './corruptLogError.ts';
import { asFrozen } from './frozenCopy.ts';
import type { RequestMessage } from './header.ts';
import { isJsonArray, isJsonObject } from './json.ts';
import type { LogEvent } from './logEvent.ts';
import { messageOf } from './messageTypes.ts';

/** An event that stands, or stood, on a surface. */
export class SurfaceEntry {
  readonly event: LogEvent;
  readonly seq: number;
  /** Its place among the slots of its surface, which keep the order of the surface. */
  readonly slot: number;
  /** `null` until it was asked for. */
  #message: RequestMessage | undefined | null = null;

  constructor(event: LogEvent, seq: number, slot: number) {
    this.event = event;
    this.seq = seq;
    this.slot = slot;
  }

  /**
   * What it shows the model, deep-frozen, and the same object each time; absent when that is nothing. A message that stands
   * deep-frozen in the event is that very object. Throws `CorruptLogError` when it cannot be read.
   */
  get message(): RequestMessage | undefined {
    if (this.#message === null) {
      const { event, seq } = this;
      this.#message = asFrozen(messageOf(event.type, event.data, faultAt(seq, event)));
    }
    return this.#message;
  }

  /** The message is deep-frozen, and equal to the one that it shows. */
  adopt(message: RequestMessage): void {
    this.#message = message;
  }

  /** Identities of its units, at least one: the event itself where it names none. */
  get keys(): readonly string[] {
    const { data } = this.event;
    const units = isJsonObject(data) ? data['units'] : undefined;
    return isJsonArray(units) && units.length > 0 && units.every(isText) ? units : [`event:${this.seq}`];
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
