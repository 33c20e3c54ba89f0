import { withoutContent } from '../../protocol/log/withoutContent.ts';
import type { Sha256 } from '../../protocol/request/hashing.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { HOST_LIMITS } from './hostLimits.ts';

export interface EventBatch {
  readonly events: readonly LogEvent[];
  /** `seq` of the first event that is not in it. */
  readonly next: number;
  /** UTF-8 length of the events as JSON. */
  readonly bytes: number;
}

interface LeanEvent {
  readonly event: LogEvent;
  readonly bytes: number;
}

/** Events as watchers get them: without content. Each is made once, however many watch. */
export class EventBatches {
  readonly #lean = new WeakMap<LogEvent, LeanEvent>();
  readonly #sha256: Sha256;
  #hashed = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = text => {
      this.#hashed += text.length;
      return sha256(text);
    };
  }

  /**
   * As many events from `from` on, and before `to`, as fit; at least one where there is one. Throws where that one is larger than a frame
   * may be.
   */
  batch(events: readonly LogEvent[], from: number, to: number, limit: number): EventBatch {
    const batch: LogEvent[] = [];
    let bytes = 0;
    this.#hashed = 0;
    for (const event of events.slice(from, Math.min(to, from + BATCH_EVENTS))) {
      const lean = this.#leanEvent(event);
      if (batch.length > 0 && bytes + lean.bytes > limit) {
        break;
      }
      if (lean.bytes > HOST_LIMITS.payloadBytes) {
        throw new Error(`Event ${event.seq} of this session is too large to be sent. Read the session's log instead.`);
      }
      batch.push(lean.event);
      bytes += lean.bytes + 1;
      if (this.#hashed > HOST_LIMITS.batchHashing) {
        break;
      }
    }
    return { events: batch, next: from + batch.length, bytes };
  }

  #leanEvent(event: LogEvent): LeanEvent {
    let lean = this.#lean.get(event);
    if (!lean) {
      const without = withoutContent(event, this.#sha256);
      lean = { event: without, bytes: Buffer.byteLength(JSON.stringify(without)) };
      this.#lean.set(event, lean);
    }
    return lean;
  }
}

/** An event has more than 40 bytes, so this many fill every batch. */
const BATCH_EVENTS = Math.ceil(HOST_LIMITS.historyBytes / 40);
