/** What a peer may send, in bytes; the header lines of a frame come on top of `frame`. */
export interface FrameLimits {
  /** Of everything together, before `trust` was called. */
  readonly untrusted: number;
  /** Of one frame's body, after it. */
  readonly frame: number;
}

/** A peer sent something that is no frame, or too much. The message is a sentence. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** `Content-Length` and `Content-Type` with room to spare. */
const HEADER_LIMIT = 256;
const HEADER_END = '\r\n\r\n';
const HEADER_LINE = /^(content-length|content-type): *([\x20-\x7e]*)$/i;
const LENGTH = /^[0-9]{1,10}$/;

/**
 * Cuts a stream of bytes into the bodies of JSON-RPC frames, and counts before it keeps: what is held is never more than one
 * frame and the chunk that was read last.
 */
export class FrameBytes {
  readonly #limits: FrameLimits;
  #trusted = false;
  #received = 0;
  /** Bytes from `#start` to `#end` are not yet cut. */
  #bytes = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** Of the frame whose header was read; absent between frames. */
  #bodyLength: number | undefined;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** The peer has proved the token: from now on frames are counted, no longer the bytes of all together. */
  trust(): void {
    this.#trusted = true;
  }

  /** Takes what was read. Throws `FrameError` where it is too much. */
  push(chunk: Buffer): void {
    this.#received += chunk.length;
    if (!this.#trusted && this.#received > this.#limits.untrusted) {
      throw new FrameError(`The peer sent more than ${this.#limits.untrusted} bytes before it proved the token.`);
    }
    this.#makeRoom(chunk.length);
    chunk.copy(this.#bytes, this.#end);
    this.#end += chunk.length;
  }

  /** The body of the next frame; absent until all of it is there. Throws `FrameError` where no frame begins. */
  next(): Buffer | undefined {
    this.#bodyLength ??= this.#readHeader();
    if (this.#bodyLength === undefined || this.#end - this.#start < this.#bodyLength) {
      return undefined;
    }
    const body = this.#bytes.subarray(this.#start, this.#start + this.#bodyLength);
    this.#start += this.#bodyLength;
    this.#bodyLength = undefined;
    return body;
  }

  /** Absent until the header is whole. */
  #readHeader(): number | undefined {
    const there = this.#bytes.subarray(this.#start, Math.min(this.#end, this.#start + HEADER_LIMIT));
    const end = there.indexOf(HEADER_END);
    if (end === -1) {
      if (there.length === HEADER_LIMIT) {
        throw new FrameError(`The peer sent a frame whose header is longer than ${HEADER_LIMIT} bytes.`);
      }
      return undefined;
    }
    const length = bodyLength(there.toString('latin1', 0, end));
    const limit = this.#trusted ? this.#limits.frame : this.#limits.untrusted;
    if (length > limit) {
      throw new FrameError(`The peer announced a frame of ${length} bytes; ${limit} are allowed.`);
    }
    this.#start += end + HEADER_END.length;
    return length;
  }

  /** A body that was handed out stays as it is until the next `push`. */
  #makeRoom(length: number): void {
    const kept = this.#end - this.#start;
    if (this.#end + length <= this.#bytes.length) {
      return;
    }
    const needed = kept + length;
    const reuse = needed <= this.#bytes.length && this.#bytes.length <= needed * 4;
    const room = reuse ? this.#bytes : Buffer.allocUnsafe(needed * 2);
    this.#bytes.copy(room, 0, this.#start, this.#end);
    this.#bytes = room;
    this.#start = 0;
    this.#end = kept;
  }
}

function bodyLength(header: string): number {
  const seen = new Map<string, string>();
  for (const line of header.split('\r\n')) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new FrameError('The peer sent a frame with a header line that is neither Content-Length nor Content-Type.');
    }
    if (seen.has(name.toLowerCase())) {
      throw new FrameError(`The peer sent a frame with two ${name} lines.`);
    }
    seen.set(name.toLowerCase(), value);
  }
  const length = seen.get('content-length');
  if (length === undefined || !LENGTH.test(length) || Number(length) === 0) {
    throw new FrameError('The peer sent a frame without a Content-Length of at least 1.');
  }
  return Number(length);
}
