import type { FoundAnnouncement } from '../../local/announcements.ts';
import { folders } from '../../local/folders.ts';
import { readLog } from '../../local/logFile.ts';
import { product } from '../../protocol/product.ts';
import { listed } from '../words.ts';
import { findSession } from './findSession.ts';
import { liveSessions } from './liveSessions.ts';

/**
 * The announcement of the running session that a person names: by its id, by the beginning of its id, or by the path of its log, as
 * `findSession` does it for logs. Rejects with a sentence where no running session has that name, or several have.
 */
export async function findLiveSession(given: string): Promise<FoundAnnouncement> {
  const live = await liveSessions(folders());
  const [found, ...others] = named(given, live);
  if (found && others.length === 0) {
    return found;
  }
  if (found) {
    throw new Error(
      `${others.length + 1} running sessions begin so: ${listed([found, ...others].map(each => `${each.session} (${each.agent})`))}.`,
    );
  }
  const { shown, path } = await findSession(given);
  const { header } = await readLog(path);
  const running = live.find(({ session, agent }) => session === header?.id && agent === header.agent);
  if (running) {
    return running;
  }
  throw new Error(
    `Session ${header?.id ?? shown} is not running, so no block of it can be discarded. The running ones are those with a process under LIVE in "${product.name} sessions".`,
  );
}

function named(given: string, live: readonly FoundAnnouncement[]): readonly FoundAnnouncement[] {
  const whole = live.filter(({ session }) => session === given);
  return whole.length > 0 || given === '' ? whole : live.filter(({ session }) => session.startsWith(given));
}
