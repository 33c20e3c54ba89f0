import type { AttachedOptions, Connection } from '../../../client/session/attachedOptions.ts';
import { AttachedSession } from '../../../client/session/attachedSession.ts';
import type { FoundAnnouncement } from '../../../local/announcements.ts';
import type { Attachment, ConnectionCallbacks, ConnectionOptions } from '../../../local/sessionConnection.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { announced, HEADER } from '../../adapter/host/hostKit.ts';

export const FOUND: FoundAnnouncement = {
  ...announced('one', { session: HEADER.id, cwd: '/work' }),
  file: '/run/one.json',
  address: '/run/one.sock',
};

/** A connection that says what a test lets it say. */
export class FakeConnection implements Connection {
  readonly announcement: FoundAnnouncement;
  readonly say: ConnectionCallbacks;
  readonly options: ConnectionOptions;
  closed = false;
  retries = 0;
  outcome: Promise<'discarded' | 'repeated'> = Promise.resolve('discarded');

  constructor(announcement: FoundAnnouncement, callbacks: ConnectionCallbacks, options: ConnectionOptions) {
    this.announcement = announcement;
    this.say = callbacks;
    this.options = options;
  }

  retry = (): void => void (this.retries += 1);
  close = (): void => void (this.closed = true);
  readRequest = () => Promise.resolve({ text: '{}', hash: 'h', content: 'full' as const });
  history = (from: number, to: number) =>
    Promise.resolve(Array.from({ length: to - from }, (_, at) => note(from + at)));
  whatIf = () => Promise.resolve(null);
  whatIfCompressed = () => Promise.resolve(null);
  discard = () => this.outcome;
  tier1 = () => Promise.resolve({ budget: true, constraints: [] });
  updateTier1 = () => Promise.resolve('updated' as const);
  rebasePrefix = () => Promise.resolve('rebased' as const);

  /** As after a connection was made. */
  attach(more: Partial<Attachment> = {}): void {
    this.say.state({ kind: 'connected' });
    this.say.attached({ header: HEADER, policy: DEFAULT_POLICY, mayDiscard: true, nextSeq: 0, reset: true, ...more });
  }
}

export function note(seq: number): LogEvent {
  return { type: 'session/problem', seq, time: seq, data: { code: 'note', sentence: 'A note.' } };
}

export interface Faked {
  readonly session: AttachedSession;
  readonly connections: FakeConnection[];
  /** The one that was made last. */
  readonly last: () => FakeConnection;
  readonly refusals: string[];
  readonly events: LogEvent[];
  readonly changes: () => number;
  turnClock(milliseconds: number): void;
}

/** A session of which each connection is in the test's hands, as is the clock. */
export function faked(options: Partial<AttachedOptions> = {}): Faked {
  const connections: FakeConnection[] = [];
  const refusals: string[] = [];
  const events: LogEvent[] = [];
  let changes = 0;
  let now = 1_000;
  const session = new AttachedSession(FOUND, {
    connect(announcement, callbacks, given) {
      const connection = new FakeConnection(announcement, callbacks, given);
      connections.push(connection);
      return connection;
    },
    isGone: () => Promise.resolve(false),
    findLog: () => Promise.resolve(undefined),
    now: () => now,
    changed: () => {
      changes += 1;
    },
    events: (_, came) => events.push(...came),
    refused: (_, sentence) => refusals.push(sentence),
    ...options,
  });
  return {
    session,
    connections,
    last: () => connections.at(-1)!,
    refusals,
    events,
    changes: () => changes,
    turnClock: milliseconds => {
      now += milliseconds;
    },
  };
}
