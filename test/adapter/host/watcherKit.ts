import type { TestContext } from 'node:test';
import type { FoundAnnouncement } from '../../../local/announcements.ts';
import {
  type Attachment,
  type ConnectionOptions,
  type ConnectionState,
  connectToSession,
  type SessionConnection,
} from '../../../local/sessionConnection.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { inTime } from '../../server/deadline.ts';

/** A watcher that keeps what its callbacks were told. */
export class Recorder {
  readonly states: ConnectionState[] = [];
  readonly attachments: Attachment[] = [];
  readonly events: LogEvent[] = [];
  readonly connection: SessionConnection;
  #waiting: (() => void)[] = [];

  constructor(t: TestContext, announcement: FoundAnnouncement, options: ConnectionOptions = {}) {
    this.connection = connectToSession(
      announcement,
      {
        state: state => this.#told(() => this.states.push(state)),
        attached: attachment => this.#told(() => this.attachments.push(attachment)),
        events: events => this.#told(() => this.events.push(...events)),
      },
      options,
    );
    t.after(() => this.connection.close());
  }

  get state(): string | undefined {
    return this.states.at(-1)?.kind;
  }

  /** Waits until something that was told makes it so. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await inTime(new Promise<void>(resolve => this.#waiting.push(resolve)), what);
    }
  }

  async connected(times = 1): Promise<void> {
    await this.until(`attachment ${times}`, () => this.attachments.length >= times);
  }

  #told(keep: () => void): void {
    keep();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) {
      resolve();
    }
  }
}
