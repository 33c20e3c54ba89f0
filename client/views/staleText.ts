import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import type { Wording } from './wording.ts';

/** What stands above rows of which nothing changes any more; absent while one session is live. */
export function staleText({ all }: PanelSessions, { say, time }: Wording): string | undefined {
  const [first] = all;
  if (!first || all.some(({ link }) => link.kind === 'connected' || link.kind === 'connecting')) {
    return undefined;
  }
  const times = all.flatMap(({ link }) => ('since' in link ? [link.since] : []));
  return times.length === 0
    ? say(sentence('A past session, read from its log: nothing in it changes any more.'))
    : say(sentence('Disconnected since {0}: this is how it was then.', time(Math.max(...times))));
}
