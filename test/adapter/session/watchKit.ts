import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { SessionHost } from '../../../adapter/host/sessionHost.ts';
import type { SessionProbes } from '../../../adapter/openProbedSession.ts';
import type { SessionOptions } from '../../../adapter/sessionTypes.ts';
import { type FoundAnnouncement, listAnnouncements } from '../../../local/announcements.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { stateFromJson } from '../../../protocol/log/stateJson.ts';
import type { Recorder } from '../host/watcherKit.ts';
import { type Checked, checkedSession, homeOf } from './sessionKit.ts';

export interface Watched {
  readonly checked: Checked;
  readonly host: SessionHost;
  readonly announcement: FoundAnnouncement;
}

/** A real session that can be watched. */
export async function watchedSession(
  t: TestContext,
  options: Partial<SessionOptions> = {},
  probes: SessionProbes = {},
): Promise<Watched> {
  const folder = options.folder ?? homeOf(t);
  let host: SessionHost | undefined;
  const config = { ...options.config, announce: true };
  const checked = await checkedSession(
    t,
    { ...options, folder, config },
    {
      ...probes,
      hosted: started => {
        host = started;
      },
    },
  );
  const announcement = listAnnouncements(join(folder, 'run')).found.find(({ file }) => file === host?.file);
  if (!host || !announcement) {
    throw new Error(`The session cannot be watched: ${checked.session.notices.join(' ')}`);
  }
  return { checked, host, announcement };
}

/** What a watcher knows: the snapshot that it began with, and the events since. */
export function foldedBy({ attachments, events }: Recorder): SessionState {
  const snapshot = attachments[0]?.snapshot;
  return events.reduce(reduce, snapshot ? stateFromJson(snapshot) : initialState);
}
