import { createParser, type EventSourceParser } from 'eventsource-parser';
import { isJsonObject, type Json } from '../../../protocol/request/json.ts';
import type { Ended } from '../../sessionTypes.ts';
import type { AnswerReading, Heard } from './answerReading.ts';
import type { AnswerHead, AnswerReader } from './gatewayApi.ts';

/** No more of an answer is kept, or of one event of it. One that is larger is not read, and judged by its HTTP end. */
const MOST_KEPT = 16 * 2 ** 20;

/** Reads an answer as its API says, streamed or not. */
export function readAnswer(head: AnswerHead, reading: AnswerReading): AnswerReader {
  return head.status >= 200 && head.status <= 299 ? new Reader(head, reading) : new RefusalReader(head);
}

/** Of what a provider says of a failure, so many characters are told: it is read for what it says of lengths. */
const MOST_SAID = 4_000;

/** Statuses that are about who asks and how often, not about what was asked. */
const NOT_OF_THE_REQUEST: ReadonlySet<number> = new Set([401, 402, 403, 404, 407, 408, 429]);

/** Reads why a provider did not answer. */
class RefusalReader implements AnswerReader {
  readonly #isOfTheRequest: boolean;
  #said = Buffer.alloc(0);

  constructor({ status }: AnswerHead) {
    this.#isOfTheRequest = status >= 400 && status <= 499 && !NOT_OF_THE_REQUEST.has(status);
  }

  push(bytes: Uint8Array): void {
    if (this.#isOfTheRequest && this.#said.length < MOST_SAID) {
      this.#said = Buffer.concat([this.#said, bytes.subarray(0, MOST_SAID)]);
    }
  }

  end(): Ended {
    const error = this.#said.toString('utf8').slice(0, MOST_SAID);
    return { outcome: 'failed', ...(error !== '' && { error }) };
  }
}

class Reader implements AnswerReader {
  readonly #reading: AnswerReading;
  readonly #type: string;
  /** Absent before the first byte, and when nothing is read. */
  #form: Form | undefined;
  /** It is compressed, or too large: only its end is looked at. */
  #unread: boolean;

  constructor({ headers }: AnswerHead, reading: AnswerReading) {
    this.#reading = reading;
    this.#type = String(headers['content-type'] ?? '');
    const encoding = String(headers['content-encoding'] ?? '')
      .trim()
      .toLowerCase();
    this.#unread = encoding !== '' && encoding !== 'identity';
  }

  push(bytes: Uint8Array): void {
    if (this.#unread || (!this.#form && isBlank(bytes))) {
      return;
    }
    this.#form ??= this.#isStreamed(bytes) ? new StreamedAnswer(this.#reading) : new WholeAnswer(this.#reading);
    if (!this.#form.push(bytes)) {
      this.#unread = true;
      this.#form = undefined;
    }
  }

  end(whole: boolean): Ended {
    if (this.#unread) {
      return { outcome: whole ? 'completed' : 'failed' };
    }
    const { ending, failed, error, usage = {}, callsTools } = this.#form?.end(whole) ?? {};
    const completed = !failed && (ending === 'final' || (ending === 'last' && whole));
    return {
      outcome: completed ? 'completed' : 'failed',
      ...(Object.keys(usage).length > 0 && { usage }),
      ...(completed && callsTools !== undefined && { callsTools }),
      ...(!completed && error !== undefined && { error: JSON.stringify(error).slice(0, MOST_SAID) }),
    };
  }

  /** Some servers say no type, or a wrong one: JSON starts with a brace or a bracket, an event never does. */
  #isStreamed(bytes: Uint8Array): boolean {
    if (this.#type.includes('event-stream') || this.#type.includes('json')) {
      return this.#type.includes('event-stream');
    }
    const first = bytes.find(byte => !BLANKS.has(byte));
    return first !== 0x5b && first !== 0x7b;
  }
}

/** One of the two forms that an answer has. */
interface Form {
  /** False when it is too large. */
  push(bytes: Uint8Array): boolean;
  end(whole: boolean): Heard;
}

class StreamedAnswer implements Form {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #heard: Heard = {};
  #isTooLarge = false;

  constructor(reading: AnswerReading) {
    this.#parser = createParser({
      maxBufferSize: MOST_KEPT,
      onEvent: ({ event = '', data }) => {
        if (data === reading.finalData) {
          this.#heard = { ...this.#heard, ending: 'final' };
        } else if (!reading.skips(event)) {
          const value = parsed(data);
          this.#heard = isJsonObject(value) ? reading.streamed(this.#heard, value) : this.#heard;
        }
      },
      onError: ({ type }) => {
        this.#isTooLarge ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  push(bytes: Uint8Array): boolean {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    return !this.#isTooLarge;
  }

  end(whole: boolean): Heard {
    if (whole) {
      // Agents take a last event without its empty line, so it counts.
      this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    }
    return this.#heard;
  }
}

class WholeAnswer implements Form {
  readonly #reading: AnswerReading;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(reading: AnswerReading) {
    this.#reading = reading;
  }

  push(bytes: Uint8Array): boolean {
    this.#length += bytes.length;
    this.#parts.push(bytes);
    return this.#length <= MOST_KEPT;
  }

  end(whole: boolean): Heard {
    const value = whole ? parsed(Buffer.concat(this.#parts).toString('utf8')) : undefined;
    this.#parts = [];
    return value === undefined ? {} : this.#reading.whole(value);
  }
}

/** Space, tab and line ends, which may stand before an answer. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(byte => BLANKS.has(byte));
}

/** Absent for a text that is no JSON. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
