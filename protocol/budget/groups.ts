import type { ViewEntry } from '../lifecycle/view.ts';
import { placesOutsidePairs } from '../request/pairing.ts';

/**
 * The smallest thing that an edit may take (DESIGN, flow 2): a message, or an assistant message with all its tool results and
 * whatever stands between them.
 */
export interface Group<Entry extends ViewEntry = ViewEntry> {
  readonly entries: readonly Entry[];
  /** Identities of all its units. */
  readonly keys: readonly string[];
  /** It makes a call that no entry of it answers: its result may still come. */
  readonly isOpen: boolean;
  /** Places of its first and its last message in the host's transcript; absent where none of it is the host's. */
  readonly firstHost?: number;
  readonly lastHost?: number;
}

/** The view in groups, in its order; every entry is in one. */
export function groupsOf<Entry extends ViewEntry>(entries: readonly Entry[]): readonly Group<Entry>[] {
  const places = placesOutsidePairs(entries);
  const groups: Group<Entry>[] = [];
  for (let start = 0; start < entries.length; ) {
    const end = places[start + 1] ?? entries.length;
    groups.push(groupOf(entries.slice(start, end)));
    start = end;
  }
  return groups;
}

/** What a user asked for; the last one is being worked on, however many tools that takes, and stays as it is. */
export function isQuestion({ entries }: Pick<Group, 'entries'>): boolean {
  const [first] = entries;
  return entries.length === 1 && first?.role === 'user' && first.answers.length === 0;
}

/** What these entries make, which belong together. */
export function groupOf<Entry extends ViewEntry>(entries: readonly Entry[]): Group<Entry> {
  const [first] = entries;
  if (entries.length === 1 && first) {
    const { keys, calls, answers, host } = first;
    // A message of opencode holds its calls with their results.
    const isOpen = calls.some(call => !answers.includes(call));
    return host === undefined ? { entries, keys, isOpen } : { entries, keys, isOpen, firstHost: host, lastHost: host };
  }
  const hosts = entries.flatMap(({ host }) => host ?? []);
  const [firstHost] = hosts;
  const lastHost = hosts.at(-1);
  const open = new Set(entries.flatMap(({ calls }) => calls));
  for (const call of entries.flatMap(({ answers }) => answers)) {
    open.delete(call);
  }
  return {
    entries,
    keys: entries.flatMap(({ keys }) => keys),
    isOpen: open.size > 0,
    ...(firstHost !== undefined && { firstHost }),
    ...(lastHost !== undefined && { lastHost }),
  };
}
