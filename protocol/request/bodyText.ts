import { utf8Length } from '../utf8Length.ts';
import type { BodyPiece } from './bodyPieces.ts';
import type { Fault } from './corruptLogError.ts';
import type { Json } from './json.ts';
import type { SealedRequest } from './sealer.ts';

/** No body is longer, so that a short log cannot ask for more memory than there is; in bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The text of a body, whose holes are filled with the parts of its sealed request. It is put together only when its length is
 * known to be right. Throws what `fault` makes where it is not, and where there is no such part.
 */
export function bodyText(pieces: readonly BodyPiece[], request: SealedRequest, bytes: number, fault: Fault): string {
  if (bytes > MOST_BYTES) {
    throw fault(`its body would be longer than ${MOST_BYTES} bytes`);
  }
  const parts = new Parts(request, fault);
  const found = pieces.reduce((sum, piece) => sum + parts.bytesOf(piece), 0);
  if (found !== bytes) {
    throw fault(`its pieces make a body of ${found} bytes, and not of the ${bytes} that it says`);
  }
  return pieces.map(piece => parts.textOf(piece)).join('');
}

/** A request's parts as text, each made once. */
class Parts {
  readonly #request: SealedRequest;
  readonly #fault: Fault;
  readonly #messages: string[] = [];
  /** UTF-8 length of the messages before each one, and of all. */
  readonly #bytes: number[] = [0];
  readonly #others = new Map<'system' | 'tools', string>();

  constructor(request: SealedRequest, fault: Fault) {
    this.#request = request;
    this.#fault = fault;
  }

  bytesOf(piece: BodyPiece): number {
    if (typeof piece === 'string' || 'part' in piece) {
      return utf8Length(this.textOf(piece));
    }
    const [from, to] = piece.messages;
    this.#read(to);
    return (this.#bytes[to] ?? 0) - (this.#bytes[from] ?? 0) + to - from - 1;
  }

  textOf(piece: BodyPiece): string {
    if (typeof piece === 'string') {
      return piece;
    }
    if ('part' in piece) {
      return this.#other(piece.part);
    }
    const [from, to] = piece.messages;
    this.#read(to);
    return this.#messages.slice(from, to).join(',');
  }

  #other(part: 'system' | 'tools'): string {
    const value: Json | undefined = this.#request[part];
    if (value === undefined) {
      throw this.#fault(`its body has a hole for ${part}, which the request does not have`);
    }
    const text = this.#others.get(part) ?? JSON.stringify(value);
    this.#others.set(part, text);
    return text;
  }

  #read(to: number): void {
    const { messages } = this.#request;
    if (to > messages.length) {
      throw this.#fault(`its body has a hole for message ${to - 1}, but the request has ${messages.length} messages`);
    }
    for (let index = this.#messages.length; index < to; index++) {
      const text = JSON.stringify(messages[index]);
      this.#messages.push(text);
      this.#bytes.push((this.#bytes[index] ?? 0) + utf8Length(text));
    }
  }
}
