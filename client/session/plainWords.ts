import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import { shown } from '../views/wording.ts';

/** Text from a session inside a notification, which makes `[text](target)` a link, that of a command too. */
export function inNotification(text: string): string {
  return shown(text).replaceAll('](', '] (');
}

/** Text from a session, or a file's name, in a pick or in the status bar, which show `$(name)` as an icon. */
export function withoutIcons(text: string): string {
  return shown(text).replaceAll('$(', '\\$(');
}

/** A session in a notification: `pi (2f6c…)`. */
export function nameOf({ agent, id }: Pick<LogHeader, 'agent' | 'id'>): string {
  return `${inNotification(agent)} (${inNotification(id)})`;
}
