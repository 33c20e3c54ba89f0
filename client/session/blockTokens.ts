import type { Amount } from '../../protocol/log/sessionEvents.ts';
import { AskedLater } from '../views/askedLater.ts';
import type { PanelSession } from './sessionModel.ts';

/** What blocks take in requests. One number is shown everywhere, for nobody asks the session a second time. */
export class BlockTokens {
  readonly #listeners = new Set<() => void>();
  readonly #answers = new AskedLater<Amount>(() => {
    for (const listener of this.#listeners) {
      listener();
    }
  });

  /** A discard frees what the block takes; its text never changes, so it is asked for once. Absent while it is not known. */
  of(session: PanelSession, blockId: string): Amount | undefined {
    const key = JSON.stringify([session.key, blockId]);
    // Before the first request nobody has counted.
    return session.link.kind !== 'connected' || session.state.requests.length === 0
      ? this.#answers.known(key)
      : this.#answers.get(key, async () => (await session.whatIf(blockId))?.freed);
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
