import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { removeAnnouncement, writeAnnouncement } from '../../local/announcements.ts';
import { bootId } from '../../local/bootId.ts';
import { ensurePrivateFolder } from '../../local/privateFolder.ts';
import { removeStaleAnnouncements } from '../../local/staleAnnouncements.ts';
import { newToken } from '../../local/wire/proof.ts';
import { socketAddress, socketName } from '../../local/wire/socketPath.ts';
import { machineTimers, type Timers } from '../../local/wire/timers.ts';
import { allows } from '../../protocol/lifecycle/defaultPolicy.ts';
import { stateToJson } from '../../protocol/log/stateJson.ts';
import { type Params, type Result, WIRE_VERSION } from '../../protocol/wire/messages.ts';
import { sha256 } from '../hashing.ts';
import { EventBatches } from './eventBatches.ts';
import { HOST_LIMITS } from './hostLimits.ts';
import type { WatchedSession } from './watchedSession.ts';
import { Watcher, type WatcherHost } from './watcher.ts';
import { WatcherRequests } from './watcherRequests.ts';

export interface SessionHostOptions extends WatchedSession {
  /** Where announcement and socket lie; made when it is missing. */
  readonly folder: string;
  /** Where the host keeps its own transcript. */
  readonly transcript?: string | undefined;
  /** Unix milliseconds; tests give their own. */
  readonly now?: () => number;
  readonly timers?: Timers;
}

/** What a host holds at the moment. */
export interface HostLoad {
  readonly connections: number;
  /** Of the connections those that have proved the token. */
  readonly watchers: number;
  /** That the watchers' sockets have not taken. */
  readonly bytesWaiting: number;
}

/** The name under which a policy knows whoever discards over the wire. */
const EDITOR_SOURCE = 'editor';

/**
 * Lets others watch a session over a local socket, which it announces in a private folder. It never throws into the session and the
 * session never waits for it. It does not keep a program from ending.
 */
export class SessionHost {
  /** Whole path of the announcement. */
  readonly file: string;
  readonly #session: WatchedSession;
  readonly #server: Server;
  readonly #address: string;
  readonly #batches = new EventBatches(sha256);
  readonly #watchers = new Set<Watcher>();
  readonly #shared: WatcherHost;
  #attached = 0;
  #pushed: NodeJS.Immediate | undefined;
  #closed: Promise<void> | undefined;

  /**
   * Listens, then announces. Rejects with `UnsafeFolderError` for a folder that others can read or change, with `SocketPathError` for one
   * whose path is too long for a socket, or with the system's error; nothing is left behind then.
   */
  static async start(options: SessionHostOptions): Promise<SessionHost> {
    const { folder, header, transcript, now = Date.now } = options;
    ensurePrivateFolder(folder);
    await removeStaleAnnouncements(folder);
    const name = randomBytes(8).toString('hex');
    const socket = socketName(folder, name);
    const address = socketAddress(folder, `${name}.json`, socket);
    const token = newToken();
    const server = createServer();
    try {
      await listen(server, address);
      const file = writeAnnouncement(folder, name, {
        wireVersion: WIRE_VERSION,
        session: header.id,
        agent: header.agent,
        ...(header.cwd === undefined ? {} : { cwd: header.cwd }),
        ...(transcript === undefined ? {} : { transcript }),
        pid: process.pid,
        bootId: bootId(),
        socket,
        token,
        started: now(),
      });
      return new SessionHost(options, { server, address, file, token });
    } catch (error) {
      server.close();
      throw error;
    }
  }

  private constructor(
    options: SessionHostOptions,
    listening: { readonly server: Server; readonly address: string; readonly file: string; readonly token: string },
  ) {
    this.#session = options;
    this.#server = listening.server;
    this.#address = listening.address;
    this.file = listening.file;
    this.#shared = {
      token: listening.token,
      timers: options.timers ?? machineTimers({ background: true }),
      requests: new WatcherRequests(options, this.#batches),
      attach: known => this.#attach(known),
      nextBatch: from => this.#nextBatch(from),
      closed: watcher => this.#watchers.delete(watcher),
    };
    this.#server.on('connection', socket => {
      socket.unref();
      this.#watchers.add(new Watcher(socket, this.#shared));
    });
    // A connection that could not be accepted is the watcher's to try again.
    this.#server.on('error', () => {});
  }

  /** Events were added, and are on disk. Watchers get them later, each as fast as it takes them: this returns at once and never throws. */
  push(): void {
    if (this.#watchers.size > 0 && this.#closed === undefined) {
      this.#pushed ??= setImmediate(() => {
        this.#pushed = undefined;
        for (const watcher of this.#watchers) {
          watcher.catchUp();
        }
      });
    }
  }

  get load(): HostLoad {
    const watchers = [...this.#watchers];
    return {
      connections: watchers.length,
      watchers: watchers.filter(watcher => watcher.watching).length,
      bytesWaiting: watchers.reduce((sum, watcher) => sum + watcher.bytesWaiting, 0),
    };
  }

  /** Sends watchers the last events and the reason; afterwards neither file nor socket nor connection is left. Never rejects. */
  close(reason = 'The session has ended.'): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  async #close(reason: string): Promise<void> {
    clearImmediate(this.#pushed);
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    const watchers = [...this.#watchers];
    for (const watcher of watchers) {
      watcher.end(reason);
    }
    try {
      removeAnnouncement({ file: this.file, address: this.#address });
    } catch {
      // The folder went away or became read-only: the next session of this user removes what it can.
    }
    await Promise.all([closed, ...watchers.map(({ gone }) => gone)]);
  }

  #nextBatch(from: number) {
    const events = this.#session.events();
    return from < events.length ? this.#batches.batch(events, from, events.length, HOST_LIMITS.batchBytes) : undefined;
  }

  #attach(known: Params<'attach'>['known']): { label: string; result: Result<'attach'> } {
    if (this.load.watchers >= HOST_LIMITS.watchers) {
      throw new Error(`${HOST_LIMITS.watchers} others watch this session already, which is as many as there may be.`);
    }
    this.#attached += 1;
    const { header, policy } = this.#session;
    const mayDiscard = allows(policy, 'editor', EDITOR_SOURCE, 'discard').allowed;
    return {
      label: `${EDITOR_SOURCE}#${this.#attached}`,
      result: { header, policy, mayDiscard, ...this.#startFor(known) },
    };
  }

  /** What a watcher begins with: the events that it has not, or a snapshot where it has none of this session or has missed many. */
  #startFor(known: Params<'attach'>['known']): Pick<Result<'attach'>, 'nextSeq' | 'snapshot'> {
    const end = this.#session.events().length;
    const from = known?.session === this.#session.header.id && known.nextSeq <= end ? known.nextSeq : 0;
    if (from > 0 && end - from <= HOST_LIMITS.missedEvents) {
      return { nextSeq: from };
    }
    const state = this.#session.state();
    // A state that is ahead of the disk must not be shown.
    const snapshot = state.nextSeq === end ? stateToJson(state) : undefined;
    const fits = snapshot && Buffer.byteLength(JSON.stringify(snapshot)) <= HOST_LIMITS.payloadBytes;
    return fits ? { nextSeq: end, snapshot } : { nextSeq: from };
  }
}

async function listen(server: Server, address: string): Promise<void> {
  server.maxConnections = HOST_LIMITS.connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.unref();
  if (process.platform !== 'win32') {
    // The folder lets nobody else in; the mode says so too.
    chmodSync(address, 0o600);
  }
}
