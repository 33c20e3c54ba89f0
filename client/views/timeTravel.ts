import type { Policy } from '../../protocol/lifecycle/policy.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { PanelSession, PanelSessions, RequestText, SessionLink } from '../session/sessionModel.ts';

/** Sessions that views show as they were. Only what is drawn from `sessions` changes: editor and status bar are about now. */
export class TimeTravel {
  /** By the session's key. */
  readonly #past = new Map<string, SessionAsOf>();
  readonly #sessions: PanelSessions;

  constructor(sessions: PanelSessions) {
    this.#sessions = sessions;
  }

  /** The sessions of now, those that were sent back in their state of then. */
  get sessions(): PanelSessions {
    const { all, current, isNew } = this.#sessions;
    const shown = all.map(session => this.#shown(session));
    const currentShown = current && shown.find(({ key }) => key === current.key);
    return {
      all: shown,
      current: currentShown,
      isNew,
      choose: key => this.#sessions.choose(key),
      onChange: listener => this.#sessions.onChange(listener),
    };
  }

  /** Shows the session as it stood when the request had been sealed. Rejects with a sentence, and then nothing changes. */
  async goTo(session: PanelSession, requestSequence: number): Promise<void> {
    const state = await session.stateAt(requestSequence);
    this.#past.set(session.key, new SessionAsOf(session, state, requestSequence));
  }

  /** Shows the session, or all of them, as it is now; false where none was shown otherwise. */
  goBack(key?: string): boolean {
    if (key !== undefined) {
      return this.#past.delete(key);
    }
    const isAny = this.#past.size > 0;
    this.#past.clear();
    return isAny;
  }

  /** A session that goes on in another log has another past. */
  #shown(session: PanelSession): PanelSession {
    const past = this.#past.get(session.key);
    if (past && !past.isOf(session)) {
      this.#past.delete(session.key);
      return session;
    }
    return past ?? session;
  }
}

/** A session in a state of before: nothing can be done to it there. */
class SessionAsOf implements PanelSession {
  readonly state: SessionState;
  readonly asOf: number;
  readonly mayDiscard = false;
  readonly #session: PanelSession;
  readonly #hash: string | undefined;

  constructor(session: PanelSession, state: SessionState, asOf: number) {
    this.#session = session;
    this.state = state;
    this.asOf = asOf;
    this.#hash = sealOf(session, asOf);
  }

  get key(): string {
    return this.#session.key;
  }

  get header(): LogHeader {
    return this.#session.header;
  }

  get link(): SessionLink {
    return this.#session.link;
  }

  get policy(): Policy {
    return this.#session.policy;
  }

  /** Whether the session still has the request that this was made of. */
  isOf(session: PanelSession): boolean {
    return session === this.#session && sealOf(session, this.asOf) === this.#hash;
  }

  history(from: number, to: number): Promise<readonly LogEvent[]> {
    return this.#session.history(from, to);
  }

  readRequest(requestSequence: number): Promise<RequestText> {
    return this.#session.readRequest(requestSequence);
  }

  stateAt(requestSequence: number): Promise<SessionState> {
    return this.#session.stateAt(requestSequence);
  }

  /** Of now, where it is asked for a number of tokens: the text of a block never changes. */
  whatIf: PanelSession['whatIf'] = blockId => this.#session.whatIf(blockId);

  whatIfCompressed(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  discard(): Promise<never> {
    return Promise.reject(new Error('This is how the session was: go back to now to discard a block.'));
  }

  /** Of now: what holds for the next request is what a person asks about. */
  tier1: PanelSession['tier1'] = () => this.#session.tier1();
  updateTier1: PanelSession['updateTier1'] = (id, value) => this.#session.updateTier1(id, value);
  rebasePrefix: PanelSession['rebasePrefix'] = () => this.#session.rebasePrefix();
}

function sealOf({ state }: PanelSession, requestSequence: number): string | undefined {
  return state.requests.get(requestSequence - 1)?.sealed.hash;
}
