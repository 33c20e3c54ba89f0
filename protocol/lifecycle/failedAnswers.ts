import { isJsonArray, isJsonObject, type Json } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import type { Slot } from './transcriptReader.ts';

/** How a request ended; only a completed answer consumes. */
type Ending = 'completed' | 'failed' | 'aborted';

/**
 * Knows which answers consume nothing although their host does not say so: the session saw them end failed or aborted
 * (DESIGN, flow 2: Consumed). An answer of which there is no record consumes.
 */
export class FailedAnswers {
  /** Identities of answers that were seen to fail. */
  readonly #failed = new Set<string>();
  /** The request whose answer is to be found in the next transcript, and how it ended. */
  #asked: { readonly requestSequence: number; ending?: Ending } | undefined;
  /** Units of an earlier instance's requests; absent once a transcript was read. */
  #seenBefore: ReadonlySet<string> | undefined;

  /** Takes over what the log of earlier instances says. */
  remember(events: readonly LogEvent[]): void {
    const seen = new Set<string>();
    for (const { type, data } of events) {
      const { units, failed, after, requestSequence, outcome } = isJsonObject(data) ? data : {};
      if (type === 'host/message') {
        if (after === undefined) {
          // A view was built since: it found the answer, if there was one.
          this.#asked = undefined;
        }
        for (const unit of isJsonArray(units ?? null) ? (units as readonly string[]) : []) {
          seen.add(unit);
          this.#mark(unit, failed === true);
        }
      } else if (type === 'request/sealed') {
        this.#asked = { requestSequence: Number(requestSequence) };
      } else if (type === 'session/opened') {
        this.#forgetUnended();
      } else if (type === 'step/end') {
        this.ended(Number(requestSequence), outcome as Ending);
      } else if (type === 'turn/end' && ENDED_UNSEEN.has(kindOf(data))) {
        // The step before it was ended only because the instance was: how its answer ended is not known.
        this.#asked = undefined;
      }
    }
    this.#forgetUnended();
    this.#seenBefore = seen;
  }

  /** A view was built for this request. */
  asked(requestSequence: number): void {
    this.#asked = { requestSequence };
    this.#seenBefore = undefined;
  }

  ended(requestSequence: number, ending: Ending): void {
    if (this.#asked?.requestSequence === requestSequence) {
      this.#asked.ending = ending;
    }
  }

  /**
   * Finds the answer to the last request among what came after the units that the request had: `before` gives those. Called
   * before the answers of a new transcript are asked about.
   */
  find(before: readonly Slot[], slots: readonly Slot[]): void {
    const ending = this.#asked?.ending;
    if (!ending || (ending === 'completed' && this.#failed.size === 0)) {
      return;
    }
    const seen = this.#seenBefore ?? new Set(before.flatMap(({ keys }) => keys));
    const last = slots.findLastIndex(({ keys }) => keys.some(key => seen.has(key)));
    if (last < 0 && seen.size > 0) {
      // The host kept nothing of that request, so nothing tells its answer from others.
      return;
    }
    for (const answer of firstAnswer(slots.slice(last + 1))) {
      answer.failed = ending !== 'completed';
      this.#mark(answer.keys[0] as string, answer.failed);
    }
  }

  /** Whether the message is an answer that consumes what stands before it. */
  consumes(slot: Slot): boolean {
    return isAnswer(slot) && !this.isFailed(slot);
  }

  /** Whether the message is an answer that consumes nothing. */
  isFailed(slot: Slot): boolean {
    return (
      isAnswer(slot) &&
      (slot.read.description.failed === true || slot.failed || this.#failed.has(slot.keys[0] as string))
    );
  }

  /** The instance that asked died, and saw no end of its answer. */
  #forgetUnended(): void {
    if (!this.#asked?.ending) {
      this.#asked = undefined;
    }
  }

  #mark(unit: string, failed: boolean): void {
    if (failed) {
      this.#failed.add(unit);
    } else {
      this.#failed.delete(unit);
    }
  }
}

/** Reasons of a turn whose instance ended before its answer. */
const ENDED_UNSEEN: ReadonlySet<unknown> = new Set(['interrupted', 'disposed']);

function kindOf(data: Json): Json | undefined {
  const reason = isJsonObject(data) ? data['reason'] : undefined;
  return isJsonObject(reason) ? reason['kind'] : undefined;
}

/** With all its items, between which some without a lifetime may stand: it ends where something else was said. */
function firstAnswer(slots: readonly Slot[]): readonly Slot[] {
  const from = slots.slice(Math.max(0, slots.findIndex(isAnswer)));
  const isItem = from[0]?.read.description.item === true;
  const end = from.findIndex(
    (slot, place) => place > 0 && !(isItem && (isAnswer(slot) || slot.read.units.length === 0)),
  );
  return from.slice(0, end < 0 ? from.length : end).filter(isAnswer);
}

function isAnswer({ read }: Slot): boolean {
  return read.description.role === 'assistant';
}
