import { isJsonArray, isJsonObject, type Json } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import type { Slot } from './transcriptReader.ts';

/** How a request ended; only a completed answer consumes. */
type Ending = 'completed' | 'failed' | 'aborted';

/** A request whose answer was in no transcript yet. */
interface Asked {
  readonly requestSequence: number;
  ending?: Ending;
  /** Identities in the last message that it had; absent where an earlier instance asked. */
  readonly last?: readonly string[];
}

/** A request, and the places in a transcript of what it ended with and of the first answer behind that. */
interface Candidate {
  readonly asked: Asked;
  readonly last: number;
  readonly answer: number;
}

/** Hosts ask for a title or a summary beside the conversation; more at once are none of one conversation. */
const MOST_ASKED = 4;

/**
 * Knows which answers consume nothing although their host does not say so: the session saw them end failed or aborted
 * (DESIGN, flow 2: Consumed). An answer of which there is no record consumes.
 */
export class FailedAnswers {
  /** Identities of answers that were seen to fail. */
  readonly #failed = new Set<string>();
  /** Requests whose answers are to be found in the next transcript, the latest last. */
  #asked: readonly Asked[] = [];
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
          this.#asked = [];
        }
        for (const unit of isJsonArray(units ?? null) ? (units as readonly string[]) : []) {
          seen.add(unit);
          this.#mark(unit, failed === true);
        }
      } else if (type === 'request/sealed') {
        this.#asked = [{ requestSequence: Number(requestSequence) }];
      } else if (type === 'session/opened') {
        this.#forgetUnended();
      } else if (type === 'step/end') {
        this.ended(Number(requestSequence), outcome as Ending);
      } else if (type === 'turn/end' && ENDED_UNSEEN.has(kindOf(data))) {
        // The step before it was ended only because the instance was: how its answer ended is not known.
        this.#asked = [];
      }
    }
    this.#forgetUnended();
    this.#seenBefore = seen;
  }

  /** A view of these messages was built for this request. */
  asked(requestSequence: number, slots: readonly Slot[]): void {
    const last = slots.at(-1)?.keys ?? [];
    // Who asks the same again after an answer, and does not show it, has taken it back.
    const open = this.#asked.filter(asked => !asked.ending || !last.some(key => asked.last?.includes(key)));
    this.#asked = [...open, { requestSequence, last }].slice(-MOST_ASKED);
    this.#seenBefore = undefined;
  }

  ended(requestSequence: number, ending: Ending): void {
    const ended = this.#asked.find(each => each.requestSequence === requestSequence);
    if (ended) {
      ended.ending = ending;
    }
  }

  /**
   * Finds the answers to the last requests in a new transcript; `before` is that of the last request. Called before the answers
   * of the new one are asked about. An answer is that of the requests that ended with what stands nearest before it: so a request
   * beside the conversation, whose answer its host keeps elsewhere, says nothing of the conversation's, and neither does one
   * whose answer was taken back before something else was said.
   */
  find(before: readonly Slot[], slots: readonly Slot[]): void {
    const latest = this.#asked.at(-1);
    if (!latest || (this.#failed.size === 0 && this.#asked.every(isFine))) {
      return;
    }
    const answered = new Map<number, Candidate[]>();
    for (const asked of this.#asked) {
      const candidate = candidateOf(asked, slots);
      if (candidate) {
        answered.set(candidate.answer, [...(answered.get(candidate.answer) ?? []), candidate]);
      }
    }
    if (answered.size === 0) {
      this.#judge(this.#answersSince(before, slots), [latest]);
    }
    for (const [answer, candidates] of answered) {
      const nearest = Math.max(...candidates.map(({ last }) => last));
      const asked = candidates.filter(({ last }) => last === nearest).map(candidate => candidate.asked);
      this.#judge(firstAnswer(slots.slice(answer)), asked);
    }
    const found = new Set([...answered.values()].flat().map(({ asked }) => asked));
    this.#asked = this.#asked.filter(asked => !found.has(asked));
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

  /** What an answer is that some requests may have been given, the latest of them last. */
  #judge(answer: readonly Slot[], asked: readonly Asked[]): void {
    if (asked.at(-1)?.ending) {
      const failed = !asked.some(({ ending }) => ending === 'completed');
      for (const item of answer) {
        item.failed = failed;
        this.#mark(item.keys[0] as string, failed);
      }
    }
  }

  /** The answer behind all that the request before had: its host may have changed what stood last. */
  #answersSince(before: readonly Slot[], slots: readonly Slot[]): readonly Slot[] {
    const seen = this.#seenBefore ?? new Set(before.flatMap(({ keys }) => keys));
    const last = slots.findLastIndex(({ keys }) => keys.some(key => seen.has(key)));
    // Where the host kept nothing of that request, nothing tells its answer from others.
    return last < 0 && seen.size > 0 ? [] : firstAnswer(slots.slice(last + 1));
  }

  /** The instance that asked died, and saw no end of its answer. */
  #forgetUnended(): void {
    this.#asked = this.#asked.filter(({ ending }) => ending);
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

/** Whether nothing of it makes an answer one that consumes nothing. */
function isFine({ ending }: Asked): boolean {
  return ending === undefined || ending === 'completed';
}

/** The first answer behind what the request ended with; absent where one of the two is not there. */
function candidateOf(asked: Asked, slots: readonly Slot[]): Candidate | undefined {
  const last = slots.findLastIndex(({ keys }) => keys.some(key => asked.last?.includes(key)));
  const answer = slots.findIndex((slot, place) => place > last && isAnswer(slot));
  return last < 0 || answer < 0 ? undefined : { asked, last, answer };
}

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
