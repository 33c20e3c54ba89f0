/** The head of an upstream's answer. */
export interface UpstreamHead {
  readonly status: number;
  readonly statusText: string | undefined;
  /** Names and values as they came. */
  readonly raw: readonly (string | Buffer)[];
}

/** What is longer is handed on as it comes: no refusal of a request is. */
const MOST_BYTES = 65_536;

/** Statuses by which providers refuse a request for its length. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

/** Whether an answer may be one that another request could replace. */
export function isRefusal(status: number): boolean {
  return REFUSALS.has(status);
}

/** A refusal that is held back until all of it is there. */
export class HeldAnswer {
  readonly head: UpstreamHead;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(head: UpstreamHead) {
    this.head = head;
  }

  get body(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** False when it is too long to be held. */
  push(piece: Buffer): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length <= MOST_BYTES;
  }
}
