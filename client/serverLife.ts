import type { Message } from '../protocol/lifecycle/text.ts';

/** The part of a language client that its life needs. */
export interface LifeClient {
  start(): Promise<void>;
  /** Stops the server and gives everything back; rejects when the server did not stop in time. */
  dispose(): Promise<void>;
}

export type ServerState = 'starting' | 'running' | 'stopped';

export interface ServerCondition {
  readonly state: ServerState;
  /** What happened, only when the server has stopped for good by itself. */
  readonly reason?: Message;
}

/** How a client tells of what happens to its server after `start` or between its own restarts. */
export interface ClientSignals {
  starting(): void;
  running(): void;
  /** The client gave up; the reason is absent where the client knows none. */
  stopped(reason?: Message): void;
}

export interface ServerLifeOptions<Client extends LifeClient> {
  /** Makes a client with the settings of this moment (editor-bugs 59). May throw. */
  readonly makeClient: (signals: ClientSignals) => Client;
  readonly report: (condition: ServerCondition) => void;
  readonly log: (text: string) => void;
  /** Milliseconds that a start may take. */
  readonly startDeadline?: number;
}

const DEFAULT_START_DEADLINE = 30_000;

/**
 * Starts, restarts and ends the language server, one step after the other (editor-bugs 55). A client is never used
 * again after it failed: each start makes a new one.
 */
export class ServerLife<Client extends LifeClient> {
  readonly #options: ServerLifeOptions<Client>;
  readonly #ended = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #client: Client | undefined;
  #condition: ServerCondition = { state: 'stopped' };
  #disposed = false;

  constructor(options: ServerLifeOptions<Client>) {
    this.#options = options;
  }

  get condition(): ServerCondition {
    return this.#condition;
  }

  /** The client whose server answers; absent while there is none. */
  get running(): Client | undefined {
    return this.#condition.state === 'running' ? this.#client : undefined;
  }

  /**
   * Starts the server, or ends it and starts it again. A restart asked for while one is going on runs once more at the
   * end, however often it was asked for. Never rejects: a failed start is a reported condition.
   */
  restart(): Promise<void> {
    this.#waiting ??= this.#enqueue(async () => {
      this.#waiting = undefined;
      await this.#stop();
      if (!this.#disposed) {
        await this.#start();
      }
    });
    return this.#waiting;
  }

  /** Ends the server for good; resolves when it is gone. Does not wait for a start that is going on. */
  dispose(): Promise<void> {
    this.#disposed = true;
    this.#ended.abort();
    return this.#enqueue(() => this.#stop());
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(step);
    return this.#queue;
  }

  async #start(): Promise<void> {
    let knownReason: Message | undefined;
    let settled = false;
    let client: Client | undefined;
    // A client that was replaced may still speak; nobody listens.
    const tell = (condition: ServerCondition): void => {
      if (settled && client === this.#client) {
        this.#report(condition);
      }
    };
    this.#report({ state: 'starting' });
    try {
      client = this.#options.makeClient({
        starting: () => tell({ state: 'starting' }),
        running: () => tell({ state: 'running' }),
        stopped: reason => {
          knownReason ??= reason;
          tell({ state: 'stopped', reason: reason ?? couldNotStart('') });
        },
      });
      this.#client = client;
      await this.#beforeDeadline(client.start());
      this.#report({ state: 'running' });
    } catch (error) {
      await this.#stop();
      if (!this.#disposed) {
        this.#report({ state: 'stopped', reason: knownReason ?? couldNotStart(textOf(error)) });
      }
    } finally {
      settled = true;
    }
  }

  #beforeDeadline(start: Promise<void>): Promise<void> {
    const milliseconds = this.#options.startDeadline ?? DEFAULT_START_DEADLINE;
    return new Promise((resolve, reject) => {
      const end = () => settle(() => reject(new Error('the extension is being switched off')));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`it gave no answer within ${milliseconds / 1000} seconds`))),
        milliseconds,
      );
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        this.#ended.signal.removeEventListener('abort', end);
        finish();
      };
      this.#ended.signal.addEventListener('abort', end);
      start.then(
        () => settle(resolve),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.#options.log(`The language server did not stop cleanly: ${textOf(error)}`);
    }
    if (this.#disposed) {
      this.#report({ state: 'stopped' });
    }
  }

  #report(condition: ServerCondition): void {
    if (condition.state !== this.#condition.state) {
      this.#condition = condition;
      this.#options.report(condition);
    }
  }
}

function couldNotStart(detail: string): Message {
  return detail === ''
    ? { template: 'The language server could not start.', values: [] }
    : { template: 'The language server could not start: {0}.', values: [detail] };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
