import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { linkText, sessionName } from './drawing.ts';
import { beside, type Wording } from './wording.ts';

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

/** What stands beside a view's title: the session, where there is one alone, and whether it is live. */
export function viewDescription({ all }: PanelSessions, wording: Wording): string | undefined {
  const [only] = all;
  if (!only || all.length > 1) {
    return undefined;
  }
  if (only.asOf !== undefined) {
    return beside([wording.say(sentence('as of request {0}', only.asOf)), sessionName(only)]);
  }
  return only.link.kind === 'connected' ? sessionName(only) : beside([linkText(only, wording), sessionName(only)]);
}
