import { structuredPatch } from 'diff';

/** A stretch of two texts that differs, with some lines around it. */
export interface Hunk {
  /** First line of each side, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly oldLines: number;
  readonly newLines: number;
  /** Each begins with `-`, `+` or a blank. */
  readonly lines: readonly string[];
}

const CONTEXT = 3;
/** More changed lines than this are not told apart: the time that takes grows with their square. */
const MAX_EDITS = 4_000;

/** Where two lists of lines differ; the lines hold no line feed. */
export function hunksOf(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  return patch ? patch.hunks : [wholeHunk(before, after)];
}

function joined(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}

function wholeHunk(before: readonly string[], after: readonly string[]): Hunk {
  return {
    oldStart: 1,
    newStart: 1,
    oldLines: before.length,
    newLines: after.length,
    lines: [...before.map(line => `-${line}`), ...after.map(line => `+${line}`)],
  };
}
