import { createHash } from 'node:crypto';
import type { SentCall } from '../gatewayCall.ts';

/** A whole body on its way to the upstream: tells once, with their hash, that all of its bytes were written to the connection. */
export class LeavingBody implements AsyncIterable<Uint8Array> {
  readonly #bytes: Uint8Array;
  readonly #sent: SentCall | undefined;
  readonly #hash = createHash('sha256');
  #allWritten = false;
  #told = false;

  constructor(bytes: Uint8Array, sent: SentCall | undefined) {
    this.#bytes = bytes;
    this.#sent = sent;
  }

  /** Each slice is asked for when the connection has taken the one before, so that the hash is one of what left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    const bytes = this.#bytes;
    for (let at = 0; at < bytes.length; at += SLICE) {
      const slice = bytes.subarray(at, at + SLICE);
      this.#hash.update(slice);
      // undici writes a slice in the turn in which it gets it.
      this.#allWritten = at + SLICE >= bytes.length;
      yield slice;
    }
    this.#allWritten = true;
    this.answered();
  }

  /** The upstream answers: an answer may be there before the connection says that it has taken the last slice. */
  answered(): void {
    if (this.#allWritten && !this.#told) {
      this.#told = true;
      this.#sent?.left(this.#hash.digest('hex'));
    }
  }
}

const SLICE = 256 * 1_024;
