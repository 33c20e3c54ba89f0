import type { Message } from '../../protocol/lifecycle/text.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { BudgetNotices } from '../budget/budgetNotices.ts';
import { isEvent } from './eventTypes.ts';
import { inNotification, nameOf } from './plainWords.ts';
import type { PanelSession } from './sessionModel.ts';

/** Something that a person is told in a notification. */
export interface Notice {
  readonly severity: 'warning' | 'error';
  readonly message: Message;
  /** Key of the session that it is about. */
  readonly session: string;
}

/** A session of which it is known what was done from here. */
export interface NoticedSession extends Pick<PanelSession, 'key' | 'header'> {
  /** Whether this window has discarded the block. */
  discardedHere(blockId: string): Promise<boolean>;
}

/**
 * Decides what of a session is worth a notification (DESIGN, Trust: the whole list): it was refused, a request left with other content
 * than was sealed, a block was discarded over the wire by somebody else, a summary contradicted what was said, a request was above its
 * limit. Only what happens while it is watched counts.
 */
export class SessionNotices {
  readonly #tell: (notice: Notice) => void;
  readonly #refused = new Set<string>();
  readonly #mismatched = new Map<string, Set<number>>();
  readonly #budgets = new BudgetNotices();

  constructor(tell: (notice: Notice) => void) {
    this.#tell = tell;
  }

  /** This version cannot speak with it; told once for all sessions of an agent that are refused for the same reason. */
  refused({ key, header }: NoticedSession, why: string): void {
    const refusal = JSON.stringify([header.agent, why]);
    if (!this.#refused.has(refusal)) {
      this.#refused.add(refusal);
      this.#tell({
        severity: 'error',
        message: sentence('{0}: {1}', nameOf(header), inNotification(why)),
        session: key,
      });
    }
  }

  /** Events that have just come. */
  async events(session: NoticedSession, events: readonly LogEvent[]): Promise<void> {
    this.#tellMismatches(session, events);
    for (const notice of this.#budgets.events(session, events)) {
      this.#tell({ ...notice, session: session.key });
    }
    await this.#tellDiscards(session, events);
  }

  #tellMismatches({ key, header }: NoticedSession, events: readonly LogEvent[]): void {
    const told = this.#mismatched.get(key) ?? new Set<number>();
    this.#mismatched.set(key, told);
    const requests = events
      .filter(event => isEvent(event, 'request/receipt'))
      .filter(({ data }) => data.result === 'mismatch' && !told.has(data.requestSequence))
      .map(({ data }) => data.requestSequence);
    const [first] = requests;
    if (first === undefined) {
      return;
    }
    for (const request of requests) {
      told.add(request);
    }
    const count = new Set(requests).size;
    const message =
      count === 1
        ? sentence('Request {0} of {1} left with other content than was sealed.', first, nameOf(header))
        : sentence('{0} requests of {1} left with other content than was sealed.', count, nameOf(header));
    this.#tell({ severity: 'error', message, session: key });
  }

  async #tellDiscards(session: NoticedSession, events: readonly LogEvent[]): Promise<void> {
    const overWire = events
      .filter(event => isEvent(event, 'block/discarded'))
      .filter(({ data }) => data.trigger === 'watcher')
      .map(({ data }) => data.blockId);
    const here = await Promise.all(overWire.map(blockId => session.discardedHere(blockId)));
    const elsewhere = overWire.filter((_, index) => !here[index]);
    const [first] = elsewhere;
    if (first === undefined) {
      return;
    }
    const name = nameOf(session.header);
    const message =
      elsewhere.length === 1
        ? sentence('Block {0} of {1} was discarded, but not from this window.', inNotification(first), name)
        : sentence('{0} blocks of {1} were discarded, but not from this window.', elsewhere.length, name);
    this.#tell({ severity: 'warning', message, session: session.key });
  }
}
