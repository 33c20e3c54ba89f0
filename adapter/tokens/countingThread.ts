import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Batch, Counts } from './tokenWorker.ts';

/** A text makes no worker larger than this; one that grows beyond it ends, and only it. */
const HEAP_MEGABYTES = 512;

/** The vocabulary takes some 100 MB: a thread that has had nothing to do for so long ends, and is loaded again when needed. */
const IDLE_MINUTES = 5;

/** Absent for a text that could not be counted. */
export type Count = number | undefined;

/** The thread that counts: loaded with the first batch, started once more when it ended, and never in anybody's way. */
export class CountingThread {
  readonly #file: URL | undefined;
  readonly #idleMilliseconds: number;
  #idle: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #worker: Worker | undefined;
  #startsLeft = 2;
  #answer: ((counts: readonly Count[]) => void) | undefined;
  #ended = false;

  constructor(file: URL | undefined, idleMilliseconds = IDLE_MINUTES * 60_000) {
    this.#file = file;
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** A sentence for a person when it failed and will count no more; absent while it may, and when it was closed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** It counts no more: it failed, or it was closed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Never rejects. One batch at a time: the one before must have been answered. */
  count(texts: readonly string[]): Promise<readonly Count[]> {
    return new Promise(resolve => {
      const none = () => resolve(texts.map(() => undefined));
      const worker = this.#running();
      if (worker === undefined) {
        none();
        return;
      }
      clearTimeout(this.#idle);
      this.#answer = counts => (counts.length === texts.length ? resolve(counts) : none());
      worker.postMessage({ texts } satisfies Batch);
    });
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#unload();
  }

  async #unload(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#lost(worker);
    await worker?.terminate();
  }

  #running(): Worker | undefined {
    if (this.#worker !== undefined || this.#ended) {
      return this.#worker;
    }
    if (this.#startsLeft === 0) {
      return this.#fail('the thread that counts tokens ended twice');
    }
    this.#startsLeft--;
    try {
      this.#worker = this.#start();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return this.#fail(`the thread that counts tokens cannot be started (${reason})`);
    }
    return this.#worker;
  }

  #start(): Worker {
    if (this.#file === undefined || !existsSync(fileURLToPath(this.#file))) {
      throw new Error(
        `there is no ${this.#file === undefined ? 'tokenWorker.js beside it' : fileURLToPath(this.#file)}`,
      );
    }
    const worker = new Worker(this.#file, {
      name: 'context-lifecycle tokens',
      // The agent's own flags are its own (`--import`, `--inspect` …), and so is its terminal.
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    worker.on('message', ({ counts }: Counts) => {
      this.#reply(counts.map(count => count ?? undefined));
    });
    worker.on('messageerror', () => this.#reply([]));
    // What it died of is told by its end.
    worker.on('error', () => {});
    worker.on('exit', () => this.#lost(worker));
    // An agent that has nothing else to do may end. A listener added later would hold it again.
    worker.unref();
    return worker;
  }

  #lost(worker: Worker | undefined): void {
    if (worker === this.#worker) {
      this.#worker = undefined;
      this.#reply([]);
    }
  }

  #reply(counts: readonly Count[]): void {
    const answer = this.#answer;
    this.#answer = undefined;
    if (this.#worker) {
      this.#idle = setTimeout(() => void this.#rest(), this.#idleMilliseconds).unref();
    }
    answer?.(counts);
  }

  /** Ends for now; to start again is no second try. */
  async #rest(): Promise<void> {
    this.#startsLeft++;
    await this.#unload();
  }

  #fail(reason: string): undefined {
    this.#ended = true;
    this.#problem = `Token numbers are estimates: ${reason}.`;
  }
}
