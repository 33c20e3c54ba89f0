import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { SessionHost, type SessionHostOptions } from '../../../adapter/host/sessionHost.ts';
import type { DiscardOutcome, SealedText } from '../../../adapter/host/watchedSession.ts';
import { type FoundAnnouncement, listAnnouncements } from '../../../local/announcements.ts';
import { bootId } from '../../../local/bootId.ts';
import type { Timers } from '../../../local/wire/timers.ts';
import type { Tier1 } from '../../../protocol/budget/tier1.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { LogHeader } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import type { Announcement } from '../../../protocol/wire/messages.ts';

export const HEADER: LogHeader = { version: 1, id: 'session-1', agent: 'test', cwd: '/work', created: 1 };

/** What a session of this process announces, whether or not it is there. */
export function announced(name: string, more: Partial<Announcement> = {}): Announcement {
  return {
    wireVersion: 1,
    session: 's',
    agent: 'test',
    pid: process.pid,
    bootId: bootId(),
    socket: `${name}.sock`,
    token: 'd'.repeat(64),
    started: 1,
    ...more,
  };
}

/** A private folder that is gone after the test. */
export function privateFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cl-host-'));
  chmodSync(folder, 0o700);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A clock that goes on only when it is told to. */
export class HandTimers implements Timers {
  #now = 0;
  #pending: { readonly at: number; readonly action: () => void }[] = [];

  after(milliseconds: number, action: () => void): () => void {
    const timer = { at: this.#now + milliseconds, action };
    this.#pending.push(timer);
    return () => {
      this.#pending = this.#pending.filter(other => other !== timer);
    };
  }

  /** How many wait. */
  get waiting(): number {
    return this.#pending.length;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#pending.filter(({ at }) => at <= this.#now).sort((one, other) => one.at - other.at);
    this.#pending = this.#pending.filter(({ at }) => at > this.#now);
    for (const { action } of due) {
      action();
    }
  }
}

/** A session that has events and nothing else; what watchers ask for is recorded. */
export class FakeSession {
  readonly header: LogHeader;
  readonly policy = DEFAULT_POLICY;
  readonly list: LogEvent[] = [];
  readonly discards: { readonly blockId: string; readonly connection: string }[] = [];
  readonly sealed = new Map<number, SealedText>();
  rebuilds = 0;
  outcome: DiscardOutcome = 'discarded';
  #state = initialState;

  constructor(header: LogHeader = HEADER) {
    this.header = header;
  }

  /** Adds events that say their number in a sentence of this length. */
  add(count: number, length = 20): void {
    for (let added = 0; added < count; added++) {
      const seq = this.list.length;
      const sentence = `${seq}`.padEnd(length, '.');
      this.append({ type: 'session/problem', seq, time: seq, data: { code: 'note', sentence } });
    }
  }

  append(event: LogEvent): void {
    this.list.push(event);
    this.#state = reduce(this.#state, event);
  }

  events = () => this.list;
  state = () => this.#state;
  whatIf = () => undefined;
  whatIfCompressed = () => undefined;
  tier1 = (): Tier1 | undefined => undefined;
  updateTier1 = (_id: string, _value: string | undefined, _connection: string) => 'off' as const;
  rebasePrefix = (_connection: string) => 'off' as const;

  sealedText = (requestSequence: number) => {
    this.rebuilds += 1;
    return this.sealed.get(requestSequence);
  };

  discard = (blockId: string, connection: string) => {
    this.discards.push({ blockId, connection });
    return this.outcome;
  };
}

export interface Hosted {
  readonly session: FakeSession;
  readonly host: SessionHost;
  readonly folder: string;
  readonly announcement: FoundAnnouncement;
}

/** A host in a folder of its own, closed after the test. */
export async function hosted(
  t: TestContext,
  session = new FakeSession(),
  options: Partial<SessionHostOptions> = {},
): Promise<Hosted> {
  const folder = options.folder ?? privateFolder(t);
  const host = await SessionHost.start({ ...session, folder, ...options });
  t.after(() => host.close());
  const announcement = listAnnouncements(folder).found.find(({ file }) => file === host.file);
  if (!announcement) {
    throw new Error('The host announced nothing.');
  }
  return { session, host, folder, announcement };
}

export interface Relay {
  readonly announcement: FoundAnnouncement;
  /** Cuts all connections through it, as when a process dies. */
  cut(): void;
}

/** Stands between a watcher and a host. */
export async function relayTo(t: TestContext, announcement: FoundAnnouncement): Promise<Relay> {
  const address = join(privateFolder(t), 'relay.sock');
  const sockets = new Set<Socket>();
  const server = createServer(near => {
    const far = connect(announcement.address);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>(resolve => server.listen(address, resolve));
  const cut = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  t.after(() => {
    server.close();
    cut();
  });
  return { announcement: { ...announcement, address }, cut };
}
