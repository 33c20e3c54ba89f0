import type { Amount } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { AskedLater } from '../views/askedLater.ts';
import type { PanelSession } from './sessionModel.ts';

/** What blocks take in requests. One number is shown everywhere, for nobody asks the session a second time. */
export class BlockTokens {
  readonly #listeners = new Set<() => void>();
  readonly #counted = new WeakMap<SessionState, boolean>();
  readonly #answers = new AskedLater<Amount>(() => {
    for (const listener of this.#listeners) {
      listener();
    }
  });

  /** A discard frees what the block takes; its text never changes, so it is asked for once. Absent while it is not known. */
  of(session: PanelSession, blockId: string): Amount | undefined {
    // A session that goes on in another log may have loaded another text under this ID.
    const text = session.state.lifecycle.blocks.get(blockId)?.activated.sha256 ?? '';
    const key = JSON.stringify([session.key, blockId, text]);
    return session.link.kind === 'connected' && this.#isCounted(session.state)
      ? this.#answers.get(session.key, key, async () => (await session.whatIf(blockId))?.freed)
      : this.#answers.known(key);
  }

  /** Whether the last request holds exactly the blocks that are active: what a discard frees is seen against it. */
  #isCounted(state: SessionState): boolean {
    let isCounted = this.#counted.get(state);
    if (isCounted === undefined) {
      const { lifecycle, requests } = state;
      isCounted =
        requests.length > 0 &&
        [...lifecycle.blocks.values()].every(
          ({ activated, discarded }) => (discarded ?? activated).requestSequence <= requests.length,
        );
      this.#counted.set(state, isCounted);
    }
    return isCounted;
  }

  /** What had no answer is asked for again. */
  retry(): void {
    this.#answers.retry();
  }

  /** The listener is called when more is known; gives what ends it. */
  onMore(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }
}
