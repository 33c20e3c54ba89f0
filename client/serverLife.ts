import type { Message } from '../protocol/lifecycle/text.ts';
import { CrashLimit } from './crashLimit.ts';

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

/** How a client tells of what happens to its server. */
export interface ClientSignals {
  /** The server ended by itself, during its start or later. After a start, the client gives everything back by itself. */
  ended(): void;
  /** The connection failed, for example for an exception that nobody caught; the server may still run and has to be ended. */
  broke(error: Error): void;
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

const CRASHED: Message = { template: 'The language server ended five times within three minutes.', values: [] };

/**
 * Starts, restarts and ends the language server, one step after the other (editor-bugs 55). A client is never used
 * again after its server has ended: each start makes a new one.
 */
export class ServerLife<Client extends LifeClient> {
  readonly #options: ServerLifeOptions<Client>;
  readonly #switchedOff = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #limit = new CrashLimit();
  #client: Client | undefined;
  #condition: ServerCondition = { state: 'stopped' };

  constructor(options: ServerLifeOptions<Client>) {
    this.#options = options;
  }

  /** The client whose server answers; absent while there is none. */
  get running(): Client | undefined {
    return this.#condition.state === 'running' ? this.#client : undefined;
  }

  /** The running client as soon as nothing is started or ended any more; absent when there is none then. */
  async settled(): Promise<Client | undefined> {
    let last: Promise<void> | undefined;
    while (last !== this.#queue) {
      last = this.#queue;
      await last;
    }
    return this.running;
  }

  /**
   * Starts the server, or ends it and starts it again; earlier crashes are forgotten. A restart asked for while one is
   * going on runs once more at the end, however often it was asked for. Never rejects: a failed start is a reported
   * condition.
   */
  restart(): Promise<void> {
    this.#limit = new CrashLimit();
    return this.#startAnew();
  }

  /** Ends the server for good; resolves when it is gone. Does not wait for a start that is going on. */
  dispose(): Promise<void> {
    this.#switchedOff.abort(new Error('the extension is being switched off'));
    return this.#enqueue(async () => {
      await this.#stop();
      this.#report({ state: 'stopped' });
    });
  }

  #startAnew(): Promise<void> {
    this.#waiting ??= this.#enqueue(async () => {
      this.#waiting = undefined;
      await this.#stop();
      if (!this.#switchedOff.signal.aborted) {
        await this.#start();
      }
    });
    return this.#waiting;
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(step);
    return this.#queue;
  }

  async #start(): Promise<void> {
    this.#report({ state: 'starting' });
    let client: Client | undefined;
    let started = false;
    let ended = false;
    const broken = new AbortController();
    // A client that was replaced may still speak; nobody listens.
    const isCurrent = (): boolean => client !== undefined && client === this.#client;
    const signals: ClientSignals = {
      ended: () => {
        ended = true;
        if (started && isCurrent()) {
          this.#afterCrash();
        }
      },
      broke: error => {
        broken.abort(error);
        if (started && isCurrent()) {
          this.#afterCrash(client);
        }
      },
    };
    try {
      client = this.#options.makeClient(signals);
      this.#client = client;
      await this.#beforeDeadline(client.start(), AbortSignal.any([this.#switchedOff.signal, broken.signal]));
      broken.signal.throwIfAborted();
      started = true;
      if (ended) {
        this.#afterCrash();
      } else {
        this.#report({ state: 'running' });
      }
    } catch (error) {
      // What a failed start says of its stop would only hide why it failed.
      this.#client = undefined;
      await client?.dispose().catch(() => undefined);
      if (this.#switchedOff.signal.aborted) {
        return;
      }
      if (ended && !broken.signal.aborted) {
        this.#afterCrash();
      } else {
        this.#report({ state: 'stopped', reason: couldNotStart(error) });
      }
    }
  }

  /** `remains` has a server that may still run. To ask a dead one to end would only fail and be logged. */
  #afterCrash(remains?: Client): void {
    this.#client = undefined;
    if (remains) {
      void this.#enqueue(() => this.#end(remains));
    }
    if (this.#limit.allowsRestart()) {
      this.#options.log('The language server has crashed and is started again.');
      this.#report({ state: 'starting' });
      void this.#startAnew();
    } else {
      this.#report({ state: 'stopped', reason: CRASHED });
    }
  }

  #beforeDeadline(start: Promise<void>, signal: AbortSignal): Promise<void> {
    const milliseconds = this.#options.startDeadline ?? DEFAULT_START_DEADLINE;
    return new Promise((resolve, reject) => {
      const end = () => settle(() => reject(signal.reason));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`it gave no answer within ${milliseconds / 1000} seconds`))),
        milliseconds,
      );
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        finish();
      };
      signal.addEventListener('abort', end);
      start.then(
        () => settle(resolve),
        (error: unknown) => settle(() => reject(error)),
      );
      if (signal.aborted) {
        end();
      }
    });
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client) {
      await this.#end(client);
    }
  }

  async #end(client: Client): Promise<void> {
    try {
      await client.dispose();
    } catch (error) {
      this.#options.log(`The language server did not stop cleanly: ${textOf(error)}`);
    }
  }

  #report(condition: ServerCondition): void {
    if (condition.state !== this.#condition.state) {
      this.#condition = condition;
      this.#options.report(condition);
    }
  }
}

function couldNotStart(error: unknown): Message {
  return { template: 'The language server could not start: {0}.', values: [textOf(error)] };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
