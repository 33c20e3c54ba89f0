/** Longest stretch of background work, in milliseconds, before waiting messages get their turn. */
const SLICE = 10;

/**
 * Cuts background work into slices, so that typing never waits for it. Work that shares one object shares its slices.
 */
export class TimeSlices {
  #start = Number.NEGATIVE_INFINITY;
  #next: Promise<void> | undefined;

  /** What to wait for before going on: nothing while the slice has time left, else the messages that wait. */
  turn(): Promise<void> | undefined {
    return performance.now() - this.#start < SLICE ? undefined : this.#wait();
  }

  async #wait(): Promise<void> {
    while (performance.now() - this.#start >= SLICE) {
      this.#next ??= nextLoop().then(() => {
        this.#start = performance.now();
        this.#next = undefined;
      });
      await this.#next;
    }
  }
}

/** Lets the event loop handle what has arrived. A browser has no `setImmediate`. */
async function nextLoop(): Promise<void> {
  return new Promise(resolve => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
    } else {
      setTimeout(resolve, 0);
    }
  });
}
