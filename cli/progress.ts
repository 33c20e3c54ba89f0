/** The part of a terminal stream that a progress line needs. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const PATIENCE_MS = 1000;
const PAUSE_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/** One line on a terminal that says how far a long run is; nothing in the first second, nothing where no terminal is. */
export class Progress {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  #nextLine: number;
  #files = 0;
  #visible = false;

  constructor(stream: ProgressStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#nextLine = now() + PATIENCE_MS;
  }

  /** One more file is done. */
  step(): void {
    this.#files++;
    const now = this.#now();
    if (this.#stream.isTTY && now >= this.#nextLine) {
      this.#nextLine = now + PAUSE_MS;
      this.#visible = true;
      this.#stream.write(`${CLEAR_LINE}Checked ${this.#files} files …`);
    }
  }

  /** Takes the line away, so that the report starts on a clean one. */
  end(): void {
    if (this.#visible) {
      this.#stream.write(CLEAR_LINE);
      this.#visible = false;
    }
  }
}
