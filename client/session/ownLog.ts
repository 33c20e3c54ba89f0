import { openPastSession } from './pastSession.ts';
import type { PanelSession } from './sessionModel.ts';

/**
 * The log of a session that nobody can be asked about any more, to read what the session would have answered. It is read when
 * somebody wants to see the past, and again where the memory that it took was needed meanwhile.
 */
export class OwnLog {
  #opening: Promise<PanelSession> | undefined;
  #opened: WeakRef<PanelSession> | undefined;

  /** Rejects as `openPastSession` does. */
  async open(path: string): Promise<PanelSession> {
    const opened = this.#opened?.deref();
    if (opened) {
      return opened;
    }
    this.#opening ??= openPastSession(path).then(({ session }) => {
      this.#opened = new WeakRef(session);
      return session;
    });
    try {
      return await this.#opening;
    } finally {
      this.#opening = undefined;
    }
  }
}
