import type { ViewEntry } from '../lifecycle/view.ts';
import type { EventData } from '../log/sessionEvents.ts';
import type { JsonObject } from './json.ts';
import { placesOutsidePairs } from './pairing.ts';
import type { SurfaceEntry } from './surfaceEntry.ts';

/** A message that is none of the host's: an injection, or additional context of a tool or a prompt. */
export interface ToAppend {
  /** Deep-frozen. */
  readonly message: JsonObject;
  /** Its own identity, which no other unit of the session has. */
  readonly key: string;
  /**
   * The unit that it follows; "" is the start. Absent where it follows what the next view ends with: the results of the tools
   * that run now, or the prompt that a person has just written.
   */
  readonly after?: string;
  readonly channel?: NonNullable<EventData<'host/message'>['channel']>;
  /** Who appended it. */
  readonly source?: string;
}

/** One whose place is known. */
export interface Appended extends ToAppend {
  readonly after: string;
}

/** An entry of a view with its appended messages. */
export interface PlacedEntry extends ViewEntry {
  /** Absent for a message of the host. */
  readonly appended?: Appended;
}

/** Tells which unit stood before another one in the history, "" at the start: `RequestHistory.order`. */
export interface KnownOrder {
  before(unit: string): string;
}

/** What an appended message follows. */
export interface Anchor {
  /** Of the entry; -1 is the start. */
  readonly anchor: number;
  /** How many units that are gone lie between that entry's and the one that it was appended to. */
  readonly distance: number;
}

/** Where an appended message goes: sorted by these numbers in turn. */
interface Place extends Anchor {
  readonly appended: Appended;
  /** Of the entry before which it goes. */
  readonly at: number;
}

/**
 * The view with its appended messages (DESIGN, flow 2): each after the unit that it follows; when that unit is gone, after the
 * nearest earlier one that is left, else first; never between a tool call and its result. Messages at the same place stand in
 * the order in which they were appended, which is that of the list. The entries given say what each one follows from now on
 * (`appendedIn`). `order` is needed only where units are gone.
 */
export function placeAppended(
  entries: readonly ViewEntry[],
  appended: readonly ToAppend[],
  order: KnownOrder = { before: () => '' },
): readonly PlacedEntry[] {
  if (appended.length === 0) {
    return entries;
  }
  const places = placesOf(entries, appended, order).toSorted(
    (a, b) => a.at - b.at || a.anchor - b.anchor || a.distance - b.distance,
  );
  const placed: PlacedEntry[] = [];
  let next = 0;
  for (let at = 0; at <= entries.length; at++) {
    for (let place = places[next]; place?.at === at; place = places[++next]) {
      placed.push(entryOf(place.appended));
    }
    const entry = entries[at];
    if (entry) {
      placed.push(entry);
    }
  }
  return placed;
}

/** Entries by what they show: what stays where it is is the same entry in each view. */
const ENTRIES = new WeakMap<Appended, PlacedEntry>();

function entryOf(appended: Appended): PlacedEntry {
  const known = ENTRIES.get(appended);
  if (known) {
    return known;
  }
  const { message, key } = appended;
  const entry = { message, changed: false, keys: [key], calls: [], answers: [], appended };
  ENTRIES.set(appended, entry);
  return entry;
}

/** The appended messages of a view, in their order, for the views to come. */
export function appendedIn(entries: readonly PlacedEntry[]): readonly Appended[] {
  return entries.flatMap(({ appended }) => appended ?? []);
}

function placesOf(entries: readonly ViewEntry[], appended: readonly ToAppend[], order: KnownOrder): readonly Place[] {
  const anchors = new Map<string, number>();
  for (const [index, { keys }] of entries.entries()) {
    for (const key of keys) {
      anchors.set(key, index);
    }
  }
  const outsidePairs = placesOutsidePairs(entries);
  const placed = new Map<string, Place>();
  const known = new Map<string, Anchor>();
  const last = entries.at(-1)?.keys.at(-1) ?? '';
  return appended.map(one => {
    const { after = last } = one;
    const { anchor, distance } = placed.get(after) ?? anchorOf(after, anchors, order, known);
    const place = {
      appended: isPlaced(one) ? one : { ...one, after },
      at: outsidePairs[anchor + 1] ?? entries.length,
      anchor,
      distance,
    };
    placed.set(one.key, place);
    return place;
  });
}

/**
 * The unit itself, or the nearest earlier one that is left. `anchors` tells the place of a unit that is left, `known` what was
 * found out for units that are gone; it learns of those that are passed by.
 */
export function anchorOf(
  unit: string,
  anchors: Pick<ReadonlyMap<string, number>, 'get'>,
  order: KnownOrder,
  known: Map<string, Anchor>,
): Anchor {
  // The order comes from a log, so it may go in a circle.
  const passed = new Set<string>();
  let found: Anchor | undefined;
  for (let at = unit; at !== '' && !passed.has(at); at = order.before(at)) {
    const anchor = anchors.get(at);
    found = anchor === undefined ? known.get(at) : { anchor, distance: 0 };
    if (found) {
      break;
    }
    passed.add(at);
  }
  const { anchor, distance } = found ?? { anchor: -1, distance: 0 };
  const whole = { anchor, distance: distance + passed.size };
  let left = whole.distance;
  for (const gone of passed) {
    // Many messages may have followed units of one history that is gone: it is walked once for all of them.
    known.set(gone, { anchor, distance: left-- });
  }
  return whole;
}

function isPlaced(one: ToAppend): one is Appended {
  return one.after !== undefined;
}

/** The appended messages that stand on a log's surface, for an instance that goes on with it. */
export function appendedOf(surface: readonly SurfaceEntry[]): readonly Appended[] {
  return surface.flatMap(({ event, message, keys }) => {
    const { after, channel, source } = event.data as Partial<EventData<'host/message'>>;
    const [key] = keys;
    return event.type === 'host/message' && message && after !== undefined && key !== undefined
      ? [{ message, key, after, ...(channel !== undefined && { channel }), ...(source !== undefined && { source }) }]
      : [];
  });
}
