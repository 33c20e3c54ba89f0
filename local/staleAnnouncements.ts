import { connect } from 'node:net';
import { type FoundAnnouncement, listAnnouncements, removeAnnouncement } from './announcements.ts';
import { bootId, isSameBoot } from './bootId.ts';
import { processAlive } from './processAlive.ts';

/**
 * Whether the session of an announcement is gone for good: its process is dead, in this very run of the machine, and its socket
 * refuses. In doubt it is not.
 */
export async function isStale(announced: FoundAnnouncement): Promise<boolean> {
  return isSameBoot(announced.bootId, bootId()) && !processAlive(announced.pid) && (await refuses(announced.address));
}

/** Removes what dead sessions left in a folder; gives what it removed. Never rejects. */
export async function removeStaleAnnouncements(folder: string): Promise<readonly FoundAnnouncement[]> {
  const removed: FoundAnnouncement[] = [];
  for (const announced of listAnnouncements(folder).found) {
    if (await isStale(announced)) {
      removeAnnouncement(announced);
      removed.push(announced);
    }
  }
  return removed;
}

/** Whether nobody listens. Anything else than a clear no, such as a queue that is full, counts as somebody. */
function refuses(address: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' || error.code === 'ENOENT');
    });
  });
}
