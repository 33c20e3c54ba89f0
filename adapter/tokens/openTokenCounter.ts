import type { Amount } from '../../protocol/log/sessionEvents.ts';
import { sha256 } from '../hashing.ts';
import { BoundedCache } from './boundedCache.ts';
import { CountingThread } from './countingThread.ts';
import { estimatedTokens } from './estimate.ts';
import type { TokenCounter } from './tokenCounter.ts';

export interface TokenCounterOptions {
  /** The script of the worker; absent: the file beside this bundle, or this source. */
  readonly worker?: URL;
  /** Milliseconds after which `count` gives estimates for what is not counted yet; counting goes on meanwhile. */
  readonly patience?: number;
  /** Bounds of what is remembered. */
  readonly maxEntries?: number;
  readonly maxBytes?: number;
  /** Milliseconds without work after which the worker is unloaded until it is needed. */
  readonly idle?: number;
}

/** What the worker did, and what was spared. */
export interface CountingWork {
  /** Texts that were sent to the worker. */
  readonly counted: number;
  /** Texts whose number was known, or already on its way. */
  readonly known: number;
}

/** A counter of the vocabulary o200k_base: `exact` amounts are exact in it, whatever model reads the text. */
export interface OpenTokenCounter extends TokenCounter {
  readonly work: CountingWork;
}

const DEFAULTS = { patience: 50, maxEntries: 100_000, maxBytes: 32_000_000 } as const;

/** UTF-16 code units: a longer text is estimated, more of them do not wait, and a batch is closed when it has so many. */
const LIMITS = { text: 16_000_000, waiting: 64_000_000, batch: 262_144 } as const;

/** A text of at most this length stands for itself in the cache: to hash it would take longer. */
const OWN_KEY = 512;

/** A counter whose worker is loaded with the first text. Without `close` the worker keeps no process alive either. */
export function openTokenCounter(options: TokenCounterOptions = {}): OpenTokenCounter {
  return new WorkerTokenCounter(options);
}

let shared: OpenTokenCounter | undefined;

/**
 * One counter for all sessions of this process, for the vocabulary is large. It is never closed: its worker keeps no process
 * alive, and is unloaded while nothing is counted.
 */
export function sharedTokenCounter(): OpenTokenCounter {
  shared ??= openTokenCounter();
  return shared;
}

/** One text that is to be counted, whoever asks for it. */
interface Waiting {
  readonly key: string;
  readonly text: string;
  readonly amount: Promise<Amount>;
  readonly settle: (amount: Amount) => void;
}

class WorkerTokenCounter implements OpenTokenCounter {
  readonly #known: BoundedCache<Amount>;
  readonly #thread: CountingThread;
  readonly #patience: number;
  readonly #waiting = new Map<string, Waiting>();
  /** Those of `#waiting` that were not sent yet, the first to be sent first. */
  readonly #queue = new Set<Waiting>();
  #waitingUnits = 0;
  #busy = false;
  #counted = 0;
  #spared = 0;

  constructor(options: TokenCounterOptions) {
    this.#known = new BoundedCache(options.maxEntries ?? DEFAULTS.maxEntries, options.maxBytes ?? DEFAULTS.maxBytes);
    this.#patience = options.patience ?? DEFAULTS.patience;
    this.#thread = new CountingThread(options.worker ?? workerBesideThis(), options.idle);
  }

  get work(): CountingWork {
    return { counted: this.#counted, known: this.#spared };
  }

  get estimatesOnly(): boolean {
    return this.#thread.ended;
  }

  get problem(): string | undefined {
    return this.#thread.problem;
  }

  async count(texts: readonly string[]): Promise<readonly Amount[]> {
    const amounts: Amount[] = texts.map(estimated);
    const open: Promise<void>[] = [];
    for (const [place, text] of texts.entries()) {
      const found = this.#look(text);
      if (found instanceof Promise) {
        open.push(
          found.then(amount => {
            amounts[place] = amount;
          }),
        );
      } else {
        amounts[place] = found;
      }
    }
    void this.#countQueue();
    if (open.length > 0) {
      await this.#patiently(Promise.all(open));
    }
    // What is counted later must not change what was given.
    return [...amounts];
  }

  estimate(text: string): Amount {
    return text === '' ? NOTHING : (this.#known.get(keyOf(text)) ?? estimated(text));
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#giveUp();
  }

  #look(text: string): Amount | Promise<Amount> {
    if (text === '') {
      return NOTHING;
    }
    const key = keyOf(text);
    const known = this.#known.get(key) ?? this.#waiting.get(key)?.amount;
    if (known !== undefined) {
      this.#spared++;
      return known;
    }
    const fits = text.length <= LIMITS.text && this.#waitingUnits + text.length <= LIMITS.waiting;
    return fits && !this.#thread.ended ? this.#enqueue(key, text) : estimated(text);
  }

  #enqueue(key: string, text: string): Promise<Amount> {
    const { promise, resolve } = withResolvers<Amount>();
    const waiting = { key, text, amount: promise, settle: resolve };
    this.#waiting.set(key, waiting);
    this.#queue.add(waiting);
    this.#waitingUnits += text.length;
    return promise;
  }

  async #countQueue(): Promise<void> {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    for (let batch = this.#nextBatch(); batch.length > 0 && !this.#thread.ended; batch = this.#nextBatch()) {
      this.#counted += batch.length;
      const counts = await this.#thread.count(batch.map(({ text }) => text));
      for (const [place, waiting] of batch.entries()) {
        const tokens = counts[place];
        // A text that the worker may have died of is not given to it again.
        const amount: Amount = tokens === undefined ? estimated(waiting.text) : { tokens, origin: 'exact' };
        this.#settle(waiting, amount);
      }
    }
    this.#busy = false;
    if (this.#thread.ended) {
      this.#giveUp();
    }
  }

  #nextBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    let units = 0;
    for (const waiting of this.#queue) {
      units += waiting.text.length;
      if (batch.length > 0 && units > LIMITS.batch) {
        break;
      }
      batch.push(waiting);
    }
    for (const waiting of batch) {
      this.#queue.delete(waiting);
    }
    return batch;
  }

  #settle(waiting: Waiting, amount: Amount): void {
    this.#known.set(waiting.key, amount);
    this.#waiting.delete(waiting.key);
    this.#queue.delete(waiting);
    this.#waitingUnits -= waiting.text.length;
    waiting.settle(amount);
  }

  #giveUp(): void {
    for (const waiting of this.#waiting.values()) {
      this.#settle(waiting, estimated(waiting.text));
    }
  }

  /** Whoever waits keeps the process alive, but not for longer than this. */
  async #patiently(work: Promise<unknown>): Promise<void> {
    const { promise: late, resolve } = withResolvers<void>();
    const timer = setTimeout(resolve, this.#patience);
    await Promise.race([work, late]);
    clearTimeout(timer);
  }
}

const NOTHING: Amount = { tokens: 0, origin: 'exact' };

function estimated(text: string): Amount {
  return { tokens: estimatedTokens(text), origin: 'estimated' };
}

/** No text is taken for the hash of another. */
function keyOf(text: string): string {
  return text.length <= OWN_KEY ? `=${text}` : sha256(text);
}

/** Absent where a bundler took this file to a place that has no address. */
function workerBesideThis(): URL | undefined {
  const here: string | undefined = import.meta.url;
  return here?.startsWith('file:')
    ? new URL(here.endsWith('.ts') ? 'tokenWorker.ts' : 'tokenWorker.js', here)
    : undefined;
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}
