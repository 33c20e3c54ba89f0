import type { FoundAnnouncement } from '../../local/announcements.ts';
import { type Attachment, connectToSession, type SessionConnection } from '../../local/sessionConnection.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { stateFromJson } from '../../protocol/log/stateJson.ts';

/** How long a session may take for an answer. */
const PATIENCE_MS = 10_000;

/** One connection to a running session. It is not made again when it is lost: a command has an end. */
export class SessionLink {
  readonly #connection: SessionConnection;
  readonly #lost = new AbortController();
  #state: SessionState = initialState;
  #attachment: Attachment | undefined;
  #waiting: (() => void)[] = [];

  private constructor(announcement: FoundAnnouncement) {
    this.#connection = connectToSession(announcement, {
      state: state => {
        if (state.kind === 'lost' || state.kind === 'ended') {
          this.#lost.abort(new Error(state.sentence));
          this.#connection.close();
        }
      },
      attached: attachment => {
        this.#state = attachment.snapshot ? stateFromJson(attachment.snapshot) : initialState;
        this.#attachment = attachment;
        this.#wake();
      },
      events: events => {
        this.#state = events.reduce(reduce, this.#state);
        this.#wake();
      },
    });
  }

  /** Rejects with a sentence where the session cannot be reached, or does not answer. */
  static async to(announcement: FoundAnnouncement): Promise<SessionLink> {
    const link = new SessionLink(announcement);
    try {
      await link.until(() => link.#attachment !== undefined);
      return link;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  /** As far as the session has told; it grows until `close`. */
  get state(): SessionState {
    return this.#state;
  }

  /** Whether `state` was whole when the session was attached to, as it is where it is not very large. */
  get isWhole(): boolean {
    return this.#attachment?.snapshot !== undefined;
  }

  /** Where the session runs, and under which name; absent before it is attached to. */
  get header(): Attachment['header'] | undefined {
    return this.#attachment?.header;
  }

  /** Whether the policy lets this connection discard. */
  get mayDiscard(): boolean {
    return this.#attachment?.mayDiscard === true;
  }

  /** Aborted with a sentence as soon as the connection is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Rejects with a sentence where the connection is lost, or no answer comes in time. */
  ask<Answer>(question: (connection: SessionConnection) => Promise<Answer>): Promise<Answer> {
    return this.#inTime(question(this.#connection));
  }

  /** Waits until it holds of what the session has told. Rejects as `ask` does. */
  async until(holds: () => boolean): Promise<void> {
    if (holds()) {
      return;
    }
    await this.#inTime(
      new Promise<void>(resolve => {
        this.#waiting.push(() => void (holds() && resolve()));
      }),
    );
  }

  close(): void {
    this.#connection.close();
  }

  #wake(): void {
    for (const look of this.#waiting) {
      look();
    }
  }

  #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(this.#lost.signal.reason);
      const late = (): void => reject(new Error(`The session did not answer within ${PATIENCE_MS / 1_000} seconds.`));
      const timer = setTimeout(late, PATIENCE_MS);
      this.#lost.signal.addEventListener('abort', fail, { once: true });
      // One that is lost rejects its questions too, without saying why.
      const lose = (error: unknown): void => reject(this.#lost.signal.aborted ? this.#lost.signal.reason : error);
      answer.then(resolve, lose).finally(() => {
        clearTimeout(timer);
        this.#lost.signal.removeEventListener('abort', fail);
      });
      if (this.#lost.signal.aborted) {
        fail();
      }
    });
  }
}
