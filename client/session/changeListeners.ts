/** Whoever wants to hear of changes: told after what is going on, once for any number of changes in it. */
export class ChangeListeners {
  readonly #failed: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #isTelling = false;

  /** `failed` gets what a listener throws; the others hear of the change all the same. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Gives what ends it. */
  add(listener: () => void): { dispose(): void } {
    // A function of its own: the same listener may be given twice.
    const entry = () => listener();
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  changed(): void {
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const listener of [...this.#listeners]) {
        try {
          listener();
        } catch (error) {
          this.#failed(error);
        }
      }
    });
  }

  /** Nobody is told any more. */
  clear(): void {
    this.#listeners.clear();
  }
}
