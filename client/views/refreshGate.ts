/** Runs `callback` after `milliseconds`; the answer takes it back. */
export type Schedule = (callback: () => void, milliseconds: number) => () => void;

/** At most four refreshes a second (specs/style.md, section 5). */
export const REFRESH_INTERVAL = 250;

/**
 * Lets refreshes through one at a time and not too often: several requests become one, none runs while the view is
 * hidden, and one runs when it is seen again if something was asked for meanwhile.
 */
export class RefreshGate {
  readonly #refresh: () => Promise<void>;
  readonly #schedule: Schedule;
  #cancelPause: (() => void) | undefined;
  #wanted = false;
  #visible = false;
  #running = false;

  /** `refresh` must not reject. */
  constructor(refresh: () => Promise<void>, schedule: Schedule = scheduleTimeout) {
    this.#refresh = refresh;
    this.#schedule = schedule;
  }

  request(): void {
    this.#wanted = true;
    this.#open();
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#open();
  }

  dispose(): void {
    this.#visible = false;
    this.#cancelPause?.();
  }

  #open(): void {
    if (!this.#wanted || !this.#visible || this.#running || this.#cancelPause) {
      return;
    }
    this.#wanted = false;
    this.#running = true;
    this.#cancelPause = this.#schedule(() => {
      this.#cancelPause = undefined;
      this.#open();
    }, REFRESH_INTERVAL);
    void this.#refresh().finally(() => {
      this.#running = false;
      this.#open();
    });
  }
}

function scheduleTimeout(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
