import type { TextChange } from '../protocol/lifecycle/text.ts';

/** The changes in document order, without those that touch what an earlier one replaces. */
export function withoutOverlaps(changes: readonly TextChange[]): readonly TextChange[] {
  const kept: TextChange[] = [];
  for (const change of [...changes].sort((a, b) => a.range.start - b.range.start)) {
    const last = kept.at(-1);
    if (!last || change.range.start >= Math.max(last.range.end, last.range.start + 1)) {
      kept.push(change);
    }
  }
  return kept;
}

/** The text with the changes made. They must be in order and free of overlaps (`withoutOverlaps`). */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let changed = '';
  let from = 0;
  for (const { range, newText } of changes) {
    changed += text.slice(from, range.start) + newText;
    from = range.end;
  }
  return changed + text.slice(from);
}
