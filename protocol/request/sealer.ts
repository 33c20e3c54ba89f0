import { utf8Length } from '../utf8Length.ts';
import type { IncrementalSha256, StartSha256 } from './hashing.ts';
import { canonicalHeader, type RequestMessage } from './header.ts';
import type { Json, JsonObject } from './json.ts';

/** A request as it is sealed: what a model is sent, in four parts. Deep-frozen where a function gives it. */
export interface SealedRequest {
  readonly config: JsonObject;
  readonly system?: Json;
  readonly tools?: readonly Json[];
  /** The prefix, then the view. */
  readonly messages: readonly RequestMessage[];
}

/** What is known of a sealed text without keeping it. */
export interface Seal {
  /** SHA-256 of its UTF-8 bytes, in lower-case hex. */
  readonly hash: string;
  /** How many they are. */
  readonly bytes: number;
}

/** DESIGN, flow 2: the JSON text of config, system, tools and messages, absent and empty parts left out. */
export function sealedText(request: SealedRequest): string {
  return `${headOf(request)}${request.messages.map(message => JSON.stringify(message)).join(',')}${FOOT}`;
}

const FOOT = ']}';

/** All that stands before the first message. */
function headOf({ config, system, tools }: SealedRequest): string {
  return `${JSON.stringify(canonicalHeader({ config, system, tools })).slice(0, -1)},"messages":[`;
}

/** The hash of a text's start: everything up to and including `count` messages. */
interface Mark {
  readonly count: number;
  readonly hash: IncrementalSha256;
  readonly bytes: number;
  /** How much text lies between the last mark that is kept and this one. */
  readonly since: number;
}

/**
 * Text between two kept marks. A mark is a copy of a hash, half a kilobyte; what a change in the middle makes us read again
 * for nothing is at most this.
 */
const SPACING = 32_768;

/**
 * Seals one request after another. It keeps hashes of the last request's starts, so that messages which led the request
 * before are neither turned into text nor hashed again. The same frozen object is the same text: who hands over a changed
 * message hands over another object.
 */
export class Sealer {
  readonly #start: StartSha256;
  #head = '';
  #messages: readonly RequestMessage[] = [];
  /** In order; the first one is the head's, so that there always is one to go on from. */
  #marks: Mark[] = [];
  /** After all messages of the request before: the one that an appended message goes on from. */
  #end: Mark | undefined;

  constructor(start: StartSha256) {
    this.#start = start;
  }

  seal(request: SealedRequest): Seal {
    const { messages } = request;
    let mark = this.#goOnFrom(headOf(request), messages);
    // Before the work: where a message turns out to be no JSON, the marks made until then are marks of these messages.
    this.#messages = messages;
    this.#end = undefined;
    for (let count = mark.count; count < messages.length; count++) {
      const text = `${count === 0 ? '' : ','}${JSON.stringify(messages[count])}`;
      mark.hash.update(text);
      mark = {
        count: count + 1,
        hash: mark.hash,
        bytes: mark.bytes + utf8Length(text),
        since: mark.since + text.length,
      };
      if (mark.since >= SPACING) {
        mark = { ...mark, since: 0 };
        this.#marks.push({ ...mark, hash: mark.hash.copy() });
      }
    }
    this.#end = { ...mark, hash: mark.hash.copy() };
    mark.hash.update(FOOT);
    return { hash: mark.hash.digest(), bytes: mark.bytes + FOOT.length };
  }

  /** The furthest mark that still holds, with a hash of its own. */
  #goOnFrom(head: string, messages: readonly RequestMessage[]): Mark {
    if (head !== this.#head || this.#marks.length === 0) {
      const hash = this.#start();
      hash.update(head);
      this.#head = head;
      this.#marks = [{ count: 0, hash, bytes: utf8Length(head), since: 0 }];
      this.#end = undefined;
    }
    const same = sharedStart(this.#messages, messages);
    const kept = this.#marks.findLastIndex(({ count }) => count <= same);
    this.#marks.length = kept + 1;
    const mark = this.#end && this.#end.count <= same ? this.#end : this.#marks[kept];
    if (!mark) {
      throw new TypeError('Sealer: the mark of the head is never dropped');
    }
    return { ...mark, hash: mark.hash.copy() };
  }
}

/** How many leading messages are the same objects. */
function sharedStart(before: readonly RequestMessage[], now: readonly RequestMessage[]): number {
  const length = Math.min(before.length, now.length);
  let count = 0;
  while (count < length && before[count] === now[count]) {
    count++;
  }
  return count;
}
