import type { TextChange } from '../protocol/lifecycle/text.ts';
import { afterLineEnd, isLineEnd, LineCounter } from '../protocol/lifecycle/text.ts';
import { applyChanges } from './applyChanges.ts';
import type { RepairedFile } from './checkFiles.ts';
import { printable } from './printable.ts';

/** What a repair would change, in the form of a unified diff without context lines; texts are escaped for reading. */
export function repairPreview({ file, repair }: RepairedFile): string {
  const shown = printable(file.shown);
  const lines = new LineCounter(repair.before);
  let shift = 0;
  const hunks = hunksOf(repair.before, repair.changes).map(({ start, end, changes }) => {
    const line = lines.lineAt(start);
    const removed = linesOf(repair.before.slice(start, end));
    const moved = changes.map(({ range, newText }) => ({
      range: { start: range.start - start, end: range.end - start },
      newText,
    }));
    const added = linesOf(applyChanges(repair.before.slice(start, end), moved));
    const head = `@@ -${line},${removed.length} +${line + shift},${added.length} @@`;
    shift += added.length - removed.length;
    return [head, ...removed.map(text => `-${printable(text)}`), ...added.map(text => `+${printable(text)}`)].join(
      '\n',
    );
  });
  return `--- ${shown}\n+++ ${shown}\n${hunks.join('\n')}\n`;
}

/** Whole lines, without the last line end, and the changes in them. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly TextChange[];
}

function hunksOf(text: string, changes: readonly TextChange[]): readonly Hunk[] {
  const hunks: { start: number; end: number; changes: TextChange[] }[] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const end = lineEndAt(text, change.range.end);
    if (last && change.range.start <= last.end) {
      last.end = end;
      last.changes.push(change);
    } else {
      hunks.push({ start: lineStartAt(text, change.range.start), end, changes: [change] });
    }
  }
  return hunks;
}

function lineStartAt(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isLineEnd(text.charCodeAt(at - 1))) {
    at--;
  }
  return at;
}

function lineEndAt(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) {
    at++;
  }
  return at;
}

function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (let from = 0; ; ) {
    const end = lineEndAt(text, from);
    lines.push(text.slice(from, end));
    if (end === text.length) {
      return lines;
    }
    from = afterLineEnd(text, end);
  }
}
