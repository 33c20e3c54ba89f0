import type { Json } from './json.ts';

/** A part, tool or message behind the first difference of two requests. */
export interface TailItem {
  readonly kind: 'system' | 'tool' | 'message';
  readonly value: Json;
  /** The same in both requests for what is one thing, whatever became of its text. */
  readonly key?: string;
  /** Bytes that it shares with its counterpart: set for what stands at the first difference. */
  readonly shared?: number;
}

/** What became of the tail of one request in the next. What is in none of the lists was appended or put in. */
export interface Kept {
  /** Items of the new tail that the old one had too, wherever. */
  readonly still: readonly TailItem[];
  /** An old item with what stands for it now. */
  readonly replaced: readonly (readonly [TailItem, TailItem])[];
  readonly gone: readonly TailItem[];
}

/**
 * Matches the tails of two requests. The same object is the same item; else the same JSON text; else the same key. Of items
 * without key, one that stands between the same kept ones as an old one of its kind stands for it.
 */
export function matchTails(previous: readonly TailItem[], next: readonly TailItem[]): Kept {
  const old = new Set(previous);
  const fresh = new Set(next);
  const still: TailItem[] = [];
  const pair = (nameOf: (item: TailItem) => unknown, found: (before: TailItem, after: TailItem) => void) => {
    const open = grouped(old, nameOf);
    for (const after of fresh) {
      const before = open.get(nameOf(after))?.shift();
      if (before) {
        old.delete(before);
        fresh.delete(after);
        found(before, after);
      }
    }
  };
  pair(
    ({ value }) => value,
    (_, after) => still.push(after),
  );
  pair(
    ({ value }) => JSON.stringify(value),
    (_, after) => still.push(after),
  );
  const replaced: (readonly [TailItem, TailItem])[] = [];
  const replace = (before: TailItem, after: TailItem) => replaced.push([before, after]);
  pair(({ key }) => key ?? Symbol('no key'), replace);
  const gaps = new Map([...gapsOf(previous, old), ...gapsOf(next, fresh)]);
  pair(item => (item.key === undefined ? `${item.kind} ${gaps.get(item)}` : Symbol('has a key')), replace);
  return { still, replaced, gone: [...old] };
}

function grouped(items: Iterable<TailItem>, nameOf: (item: TailItem) => unknown): Map<unknown, TailItem[]> {
  const groups = new Map<unknown, TailItem[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) {
      group.push(item);
    } else {
      groups.set(name, [item]);
    }
  }
  return groups;
}

/** For each open item, how many matched ones stand before it. */
function gapsOf(items: readonly TailItem[], open: ReadonlySet<TailItem>): ReadonlyMap<TailItem, number> {
  const places = new Map<TailItem, number>();
  let matched = 0;
  for (const item of items) {
    if (open.has(item)) {
      places.set(item, matched);
    } else {
      matched++;
    }
  }
  return places;
}
