import { type FoundAnnouncement, listAnnouncements } from '../../local/announcements.ts';
import type { Folders } from '../../local/folders.ts';
import { isStale, removeStaleAnnouncements } from '../../local/staleAnnouncements.ts';
import { amount } from '../words.ts';
import { type Finding, ok, problem, type Section } from './finding.ts';

/** Sessions that announce themselves, and what dead ones left behind; `fix` removes that. */
export async function runningSection({ runFolders }: Folders, fix: boolean): Promise<Section> {
  const findings: Finding[] = [];
  let live = 0;
  for (const folder of runFolders) {
    if (fix) {
      const removed = await removeStaleAnnouncements(folder);
      findings.push(...removed.map(each => ok(`Removed what ${named(each)} left: ${each.file}`)));
    }
    const { found, refused } = listAnnouncements(folder);
    for (const each of found) {
      if (await isStale(each)) {
        findings.push(problem(`${named(each)} is gone but still announced: --fix removes ${each.file}`));
      } else {
        live++;
      }
    }
    // What is wrong with the folder itself is said of the folder.
    findings.push(...refused.filter(({ file }) => file !== folder).map(({ sentence }) => problem(sentence)));
  }
  return { title: 'Running sessions', findings: [ok(`${amount(live, 'session')} announced`), ...findings] };
}

function named({ session, agent, pid }: FoundAnnouncement): string {
  return `session ${session} of ${agent} (process ${pid})`;
}
