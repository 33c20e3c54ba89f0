/** Lets code wait for the next of a kind of event. */
export class Changes {
  #waiting: (() => void)[] = [];

  /** Resolves at the next `fire`. */
  next(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  fire(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) {
      resolve();
    }
  }
}
