import { type FoundAnnouncement, listAnnouncements } from '../../local/announcements.ts';
import type { Folders } from '../../local/folders.ts';
import { isStale } from '../../local/staleAnnouncements.ts';

/** The sessions that announce themselves and whose processes live, or may live, newest first. Never rejects. */
export async function liveSessions({ runFolders }: Folders): Promise<readonly FoundAnnouncement[]> {
  const found = runFolders.flatMap(folder => listAnnouncements(folder).found);
  const stale = await Promise.all(found.map(isStale));
  return found.filter((_, index) => !stale[index]);
}
