import type { ListedLog } from '../../local/listLogs.ts';

/** Fewer characters tell sessions apart today, and no longer tomorrow. */
const SHORTEST = 8;

/** Whoever types it needs no quotes, and no program takes it for an option. */
const TYPABLE = /^[\w.~+@][\w.~+@:-]*$/;

/** All that a session may be called by: its id, and the name of its file. */
function namesOf({ header, name }: ListedLog): readonly string[] {
  return header === undefined ? [name] : [header.id, name];
}

/**
 * The logs that a person means by an id or by its beginning. An id as a whole counts before longer ones that begin with it:
 * the id of a fork begins with that of its session.
 */
export function logsNamed(given: string, logs: readonly ListedLog[]): readonly ListedLog[] {
  const whole = logs.filter(log => namesOf(log).includes(given));
  return whole.length > 0 || given === ''
    ? whole
    : logs.filter(log => namesOf(log).some(name => name.startsWith(given)));
}

/**
 * For each log what a person may type for it: the shortest beginning of its id that no other log has, of eight characters or
 * more. The beginning of its file's name where the id cannot be told from another one or cannot be typed.
 */
export function shortIds(logs: readonly ListedLog[]): ReadonlyMap<ListedLog, string> {
  const keys = logs.flatMap(log => [...new Set(namesOf(log))].map(key => ({ key, log })));
  keys.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const short = new Map<ListedLog, string>();
  for (const [place, { key, log }] of keys.entries()) {
    const neighbours = [neighbour(keys, place, -1), neighbour(keys, place, 1)];
    const shared = Math.max(0, ...neighbours.map(other => (other === undefined ? 0 : sharedLength(key, other))));
    const isUnique = neighbours.every(other => other !== key);
    const isId = key === log.header?.id;
    if (isUnique && (isId ? TYPABLE.test(key) : !short.has(log))) {
      short.set(log, key.slice(0, Math.max(SHORTEST, shared + 1)));
    }
  }
  return new Map(logs.map(log => [log, short.get(log) ?? log.name]));
}

interface Key {
  readonly key: string;
  readonly log: ListedLog;
}

/** The nearest key of another log. */
function neighbour(keys: readonly Key[], place: number, direction: 1 | -1): string | undefined {
  const own = keys[place]?.log;
  let at = place + direction;
  while (keys[at]?.log === own && at >= 0 && at < keys.length) {
    at += direction;
  }
  return keys[at]?.key;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length++;
  }
  return length;
}
