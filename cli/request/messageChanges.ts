import { diffArrays } from 'diff';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { readableLines } from '../../protocol/request/readableLines.ts';
import type { SurfaceEntry } from '../../protocol/request/surfaceEntry.ts';
import type { Causes } from './causes.ts';
import type { Lineage } from './lineage.ts';
import { type Hunk, hunksOf } from './lineDiff.ts';

/** A message with its place behind the prefix, from 1. */
export interface PlacedEntry {
  readonly place: number;
  readonly entry: SurfaceEntry;
}

/** A message that differs: changed where both sides are there, else taken out or added. */
export interface MessageChange {
  readonly before?: PlacedEntry;
  readonly after?: PlacedEntry;
  readonly hunks: readonly Hunk[];
  /** Empty for a message that was appended and is as it was: it needs none. */
  readonly causes: readonly LogEvent[];
}

/** More differing messages than this are not matched by what they say, only by what the log says became of them. */
const MAX_EDITS = 10_000;

/** What became of the messages behind the prefix, in the order of the newer side; backwards where the later request comes first. */
export function messageChanges(lineage: Lineage, isForward: boolean, causes: Causes): readonly MessageChange[] {
  const heirs = new Map<number, number>();
  for (const entry of lineage.before) {
    heirs.set(entry.seq, lineage.replacements(entry).at(-1)?.seq ?? entry.seq);
  }
  const explain = (early: SurfaceEntry): readonly LogEvent[] =>
    causes.ofReplacements(lineage.replacements(early), [early.event]);
  return differing(lineage.before, lineage.after)
    .flatMap(({ gone, come }) => matched(gone, come, heirs))
    .map(({ early, late }) => ({
      ...sides(early, late, isForward),
      hunks: hunksOf(...ordered(linesOf(early), linesOf(late), isForward)),
      causes: early
        ? explain(early.entry)
        : causes.ofReplacements(late && isChanged(late.entry) ? [late.entry.event] : []),
    }));
}

interface Stretch {
  readonly gone: readonly PlacedEntry[];
  readonly come: readonly PlacedEntry[];
}

/** The stretches that are not the same on both sides. A message is the same when its JSON text is. */
function differing(before: readonly SurfaceEntry[], after: readonly SurfaceEntry[]): readonly Stretch[] {
  const oldTexts = before.map(textOf);
  const newTexts = after.map(textOf);
  const runs = diffArrays(oldTexts, newTexts, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  const stretches: { gone: PlacedEntry[]; come: PlacedEntry[] }[] = [];
  let open: (typeof stretches)[number] | undefined;
  let oldPlace = 0;
  let newPlace = 0;
  for (const { removed, added, count } of runs) {
    if (!removed && !added) {
      open = undefined;
      oldPlace += count;
      newPlace += count;
      continue;
    }
    if (!open) {
      open = { gone: [], come: [] };
      stretches.push(open);
    }
    if (removed) {
      open.gone.push(...placed(before, oldPlace, count));
      oldPlace += count;
    } else {
      open.come.push(...placed(after, newPlace, count));
      newPlace += count;
    }
  }
  return stretches;
}

function placed(entries: readonly SurfaceEntry[], from: number, count: number): readonly PlacedEntry[] {
  return entries.slice(from, from + count).map((entry, index) => ({ place: from + index + 1, entry }));
}

interface Match {
  readonly early?: PlacedEntry;
  readonly late?: PlacedEntry;
}

/** A message stands beside the one that the log says it became. */
function matched(
  gone: readonly PlacedEntry[],
  come: readonly PlacedEntry[],
  heirs: ReadonlyMap<number, number>,
): readonly Match[] {
  const left = [...gone];
  const matches = come.flatMap((late): readonly Match[] => {
    const at = left.findIndex(({ entry }) => heirs.get(entry.seq) === late.entry.seq);
    if (at === -1) {
      return [{ late }];
    }
    const earlier = left.splice(0, at).map(early => ({ early }));
    const [early] = left.splice(0, 1);
    return [...earlier, { ...(early && { early }), late }];
  });
  return [...left.map(early => ({ early })), ...matches];
}

function sides(early: PlacedEntry | undefined, late: PlacedEntry | undefined, isForward: boolean) {
  const [before, after] = isForward ? [early, late] : [late, early];
  return { ...(before && { before }), ...(after && { after }) };
}

function ordered<Value>(early: Value, late: Value, isForward: boolean): [Value, Value] {
  return isForward ? [early, late] : [late, early];
}

function linesOf(side: PlacedEntry | undefined): readonly string[] {
  return side?.entry.message ? readableLines(side.entry.message) : [];
}

/** Whether it is not the message as it was first logged. */
function isChanged({ event }: SurfaceEntry): boolean {
  return event.surfaceOp !== 'append';
}

function textOf({ message }: SurfaceEntry): string {
  return JSON.stringify(message);
}
