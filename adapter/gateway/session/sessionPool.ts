/** Something that is opened once, used by many calls, and closed when nobody has used it for a while. */
export interface Pooled {
  close(reason: string): Promise<void>;
}

/** The part of Node's timers that a pool needs; tests give their own. */
export interface Timers {
  /** Calls back once after so many milliseconds; the timer keeps no process alive. Gives what stops it. */
  after(milliseconds: number, work: () => void): () => void;
}

export const REAL_TIMERS: Timers = {
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export interface PoolOptions {
  /** More are open only while each of them is in use. */
  readonly most: number;
  /** Milliseconds without a call after which a session is closed. */
  readonly idle: number;
  readonly timers: Timers;
}

/** One use of a session: it stays open until it is released. */
export interface Lease<Item> {
  readonly item: Item;
  /** The first call counts. */
  release(): void;
  /** Closes it, though others may use it: the next call opens it anew. */
  end(reason: string): void;
}

interface Entry<Item> {
  readonly key: string;
  readonly opening: Promise<Item>;
  users: number;
  /** Stops the idle timer; absent while somebody uses it. */
  stop: (() => void) | undefined;
}

/** Open sessions by their keys, the least recently used first. */
export class SessionPool<Item extends Pooled> {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, Entry<Item>>();
  /** A session is opened again only when it is closed: its log has one writer. */
  readonly #closing = new Map<string, Promise<void>>();
  #over = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** How many are open, or being opened. */
  get size(): number {
    return this.#entries.size;
  }

  /** The session of this key: the open one, or one that `open` gives, asked once for all who wait. Rejects as `open` does. */
  async take(key: string, open: () => Promise<Item>): Promise<Lease<Item>> {
    if (this.#over) {
      throw new Error('The gateway is being stopped.');
    }
    const entry = this.#entries.get(key) ?? this.#begin(key, open);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.users++;
    entry.stop?.();
    entry.stop = undefined;
    this.#closeSpare();
    try {
      const item = await entry.opening;
      let isReleased = false;
      return {
        item,
        release: () => {
          if (!isReleased) {
            isReleased = true;
            this.#release(entry);
          }
        },
        end: reason => {
          if (this.#entries.get(key) === entry) {
            void this.#end(entry, reason);
          }
        },
      };
    } catch (error) {
      // The next call tries again.
      if (this.#entries.get(key) === entry) {
        this.#entries.delete(key);
      }
      throw error;
    }
  }

  /** Closes all, those in use too; nothing is opened any more. */
  async close(reason: string): Promise<void> {
    this.#over = true;
    const closing = [...this.#entries.values()].map(entry => this.#end(entry, reason));
    await Promise.all([...closing, ...this.#closing.values()]);
  }

  #begin(key: string, open: () => Promise<Item>): Entry<Item> {
    const opening = (this.#closing.get(key) ?? Promise.resolve()).then(open);
    return { key, opening, users: 0, stop: undefined };
  }

  #release(entry: Entry<Item>): void {
    entry.users--;
    if (entry.users === 0 && this.#entries.get(entry.key) === entry) {
      const idle = (): void => void this.#end(entry, 'nothing was asked for a while');
      entry.stop = this.#options.timers.after(this.#options.idle, idle);
      this.#closeSpare();
    }
  }

  #closeSpare(): void {
    for (const entry of this.#entries.values()) {
      if (this.#entries.size <= this.#options.most) {
        return;
      }
      if (entry.users === 0) {
        void this.#end(entry, 'other sessions were used since');
      }
    }
  }

  #end(entry: Entry<Item>, reason: string): Promise<void> {
    const { key, opening } = entry;
    entry.stop?.();
    this.#entries.delete(key);
    const closed = opening
      .then(item => item.close(reason))
      // one that was never opened; and what a log could not take at its end is lost either way
      .catch(() => undefined)
      .then(() => {
        if (this.#closing.get(key) === closed) {
          this.#closing.delete(key);
        }
      });
    this.#closing.set(key, closed);
    return closed;
  }
}
