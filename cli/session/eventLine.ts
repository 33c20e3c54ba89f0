import { renderMessage } from '../../protocol/lifecycle/text.ts';
import { eventSentence } from '../../protocol/log/eventSentence.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { printable } from '../printable.ts';

/** Folders that are left out of paths, each with what divides it from a file's name. */
export type KnownFolders = readonly string[];

/** A session's own folder goes without saying. */
export function foldersOf({ cwd }: LogHeader): KnownFolders {
  if (cwd === undefined) {
    return [];
  }
  const divider = cwd.includes('\\') && !cwd.includes('/') ? '\\' : '/';
  return [cwd.endsWith(divider) ? cwd : cwd + divider];
}

/** What an event says to a person, harmless in a terminal. */
export function sentenceOf(event: LogEvent, folders: KnownFolders): string {
  const { template, values } = eventSentence(event);
  return printable(renderMessage({ template, values: values.map(value => withoutFolder(value, folders)) }));
}

/** Event 41 is `#41` wherever it is named. */
export function eventLine(event: LogEvent, folders: KnownFolders): string {
  return `#${event.seq} ${printable(event.type)}: ${sentenceOf(event, folders)}`;
}

export function withoutFolder(path: string, folders: KnownFolders): string {
  const folder = folders.find(each => path.startsWith(each));
  return folder === undefined ? path : path.slice(folder.length);
}
