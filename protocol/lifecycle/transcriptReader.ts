import type { Sha256 } from '../request/hashing.ts';
import { frozenMessage } from './messageCopy.ts';
import type { MessageFormat } from './messageFormat.ts';
import { type MessageLayout, MessageLayouts, sameMessage, TranscriptLayout } from './messageLayout.ts';
import { outlineOf } from './messageOutline.ts';
import { NUMBER_MARK, type ReadMessage, type ReadWork, readMessage } from './unit.ts';
import type { ViewEntry } from './view.ts';

/** One place of the transcript. What the session finds out about the message moves with it. */
export interface Slot {
  readonly read: ReadMessage;
  readonly layout: MessageLayout;
  /** Identities of its units, or of the message itself where it has none, each told apart from equal ones before it. */
  keys: readonly string[];
  /** The session saw this answer end without being completed. */
  failed: boolean;
  /** As it stood in the last view; absent before its first. */
  entry: ViewEntry | undefined;
}

/** A message that is looked for among those of the request before is compared with at most so many of them. */
const MOST_CANDIDATES = 8;

/** Reads the host's whole transcript for each request, and of it only what is new. */
export class TranscriptReader {
  readonly #format: MessageFormat;
  readonly #sha256: Sha256;
  readonly #work: ReadWork | undefined;
  readonly #layouts = new MessageLayouts();
  readonly #laidOut = new TranscriptLayout();
  #slots: readonly Slot[] = [];
  #kept = 0;
  /** How often each identity stands in the transcript. */
  #counts = new Map<string, number>();

  constructor(format: MessageFormat, sha256: Sha256, work?: ReadWork) {
    this.#format = format;
    this.#sha256 = sha256;
    this.#work = work;
  }

  /** Of the request before. */
  get slots(): readonly Slot[] {
    return this.#slots;
  }

  /** How many slots, from the first, stand where they stood in the request before, with the same keys. */
  get kept(): number {
    return this.#kept;
  }

  /**
   * The transcript's places. Messages may be fresh copies: one that is equal to the message at the same place of the request
   * before keeps its slot, and so does one that the host moved. Throws `UnreadableMessageError`, and then nothing was read.
   */
  read(messages: readonly unknown[]): readonly Slot[] {
    const before = this.#slots;
    let kept = 0;
    while (kept < messages.length && kept < before.length && this.#isSameAt(messages[kept], kept)) {
      kept++;
    }
    const slots = kept === before.length ? this.#appended(messages, kept) : this.#rewritten(messages, kept);
    this.#laidOut.cut(kept);
    for (const slot of slots.slice(kept)) {
      this.#laidOut.push(slot.layout);
    }
    this.#kept = kept;
    this.#slots = slots;
    return slots;
  }

  #appended(messages: readonly unknown[], kept: number): readonly Slot[] {
    const fresh = messages.slice(kept).map((message, place) => this.#fresh(message, kept + place));
    for (const slot of fresh) {
      this.#number(slot, this.#counts);
    }
    return fresh.length > 0 ? this.#slots.concat(fresh) : this.#slots;
  }

  /** The host dropped, put in or changed messages: those that are left are found again by their outlines. */
  #rewritten(messages: readonly unknown[], kept: number): readonly Slot[] {
    const left = new Map<number, Slot[]>();
    // The last first, so that the earliest of equal ones is taken first.
    for (const slot of this.#slots.slice(kept).toReversed()) {
      const outline = outlineOf(slot.read.message);
      const slots = left.get(outline);
      if (slots) {
        slots.push(slot);
      } else {
        left.set(outline, [slot]);
      }
    }
    const slots = [
      ...this.#slots.slice(0, kept),
      ...messages.slice(kept).map((message, place) => this.#found(message, left) ?? this.#fresh(message, kept + place)),
    ];
    const counts = new Map<string, number>();
    for (const slot of slots) {
      this.#number(slot, counts);
    }
    this.#counts = counts;
    return slots;
  }

  #found(message: unknown, left: Map<number, Slot[]>): Slot | undefined {
    const candidates = left.get(outlineOf(message)) ?? [];
    for (let place = candidates.length - 1; place >= Math.max(0, candidates.length - MOST_CANDIDATES); place--) {
      if (this.#isSame(message, candidates[place])) {
        return candidates.splice(place, 1)[0];
      }
    }
    return undefined;
  }

  #fresh(message: unknown, index: number): Slot {
    const read = readMessage(frozenMessage(message, index), this.#format, this.#sha256, this.#work);
    return { read, layout: this.#layouts.of(read.message), keys: [], failed: false, entry: undefined };
  }

  #isSameAt(message: unknown, place: number): boolean {
    if (this.#work) {
      this.#work.compared++;
    }
    return this.#laidOut.isSame(message, place);
  }

  #isSame(message: unknown, slot: Slot | undefined): boolean {
    if (this.#work) {
      this.#work.compared++;
    }
    return slot !== undefined && sameMessage(message, slot.layout);
  }

  /** DESIGN, flow 2: never the place in the list, but which of the equal ones it is. */
  #number(slot: Slot, counts: Map<string, number>): void {
    const keys = slot.read.identities.map(identity => {
      const occurrence = counts.get(identity) ?? 0;
      counts.set(identity, occurrence + 1);
      return occurrence === 0 ? identity : `${identity}${NUMBER_MARK}${occurrence}`;
    });
    if (keys.some((key, place) => key !== slot.keys[place])) {
      slot.keys = Object.freeze(keys);
    }
  }
}
