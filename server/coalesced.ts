/**
 * An action that many events ask for: it runs `delay` milliseconds after the first of them, once for all that came
 * meanwhile, and never twice at the same time.
 */
export class Coalesced {
  readonly #action: () => Promise<void> | void;
  readonly #delay: number;
  readonly #failed: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;
  #again = false;

  constructor(action: () => Promise<void> | void, delay: number, failed: (error: unknown) => void) {
    this.#action = action;
    this.#delay = delay;
    this.#failed = failed;
  }

  request(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#timer ??= setTimeout(() => void this.#run(), this.#delay);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    try {
      await this.#action();
    } catch (error) {
      this.#failed(error);
    }
    this.#running = false;
    if (this.#again) {
      this.#again = false;
      this.request();
    }
  }
}
