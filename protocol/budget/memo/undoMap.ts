/** What a key had before one place of a list wrote to it. */
interface Written<Value> {
  readonly at: number;
  readonly key: string;
  readonly before: Value | undefined;
}

/** A map that the places of a list write to in their order, and that can be taken back to what it was before any of them. */
export class UndoMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #written: Written<Value>[] = [];

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** `at` is no less than that of any write that was not undone; without a value the key is taken out. */
  write(at: number, key: string, value: Value | undefined): void {
    this.#written.push({ at, key, before: this.#values.get(key) });
    this.#put(key, value);
  }

  /** Takes back, the last one first, what this place and those behind it wrote. */
  undo(from: number): void {
    for (let last = this.#written.at(-1); last && last.at >= from; last = this.#written.at(-1)) {
      this.#put(last.key, last.before);
      this.#written.pop();
    }
  }

  #put(key: string, value: Value | undefined): void {
    if (value === undefined) {
      this.#values.delete(key);
    } else {
      this.#values.set(key, value);
    }
  }
}
