/** What entries of a cache take besides their key, in bytes: roughly what V8 needs for one. */
const ENTRY_BYTES = 100;

/** Keeps what was used last, within two bounds: how many entries, and how many bytes they take by a rough estimate. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Absent when it is not there any more, or never was. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      // A map keeps the order in which its keys came in: the first is the one that was not used for longest.
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: string, value: Value): void {
    if (!this.#entries.delete(key)) {
      this.#bytes += bytesOf(key);
    }
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) {
        break;
      }
      this.#entries.delete(oldest);
      this.#bytes -= bytesOf(oldest);
    }
  }
}

function bytesOf(key: string): number {
  return ENTRY_BYTES + key.length * 2;
}
