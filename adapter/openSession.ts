import { openProbedSession } from './openProbedSession.ts';
import type { Session, SessionOptions } from './sessionTypes.ts';

/**
 * Opens a session: a new one, or the one of this host's id as its log left it. Where the log cannot be gone on with, because
 * another process writes it or a part of it cannot be read, the session goes on in a copy, and `notices` say so. Rejects with
 * `UnsafeFolderError`, `LogWriteError` and `SessionConfigError`, each with a sentence for the person: without a log there is no session.
 */
export function openSession(options: SessionOptions): Promise<Session> {
  return openProbedSession(options, {});
}
