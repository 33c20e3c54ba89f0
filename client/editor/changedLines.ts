/** Whole lines in which a text differs from an earlier one, as offsets; both texts are equal before and behind. */
export interface ChangedLines {
  readonly start: number;
  readonly endBefore: number;
  readonly endNow: number;
}

/** Texts are compared in pieces of so many code units, which costs hardly more than reading memory. */
const PIECE = 65_536;

/** The lines that one edit or several have changed. They begin behind a line feed, and end with one or with the text. */
export function changedLines(before: string, now: string): ChangedLines {
  const most = Math.min(before.length, now.length);
  const head = sharedLength(most, (from, to) => before.slice(from, to) === now.slice(from, to));
  const start = before.lastIndexOf('\n', head - 1) + 1;
  const tail = sharedLength(
    most - head,
    (from, to) =>
      before.slice(before.length - to, before.length - from) === now.slice(now.length - to, now.length - from),
  );
  const lineFeed = now.indexOf('\n', now.length - tail);
  const behind = lineFeed < 0 ? 0 : now.length - lineFeed - 1;
  return { start: head === 0 ? 0 : start, endBefore: before.length - behind, endNow: now.length - behind };
}

function sharedLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let length = 0;
  for (let piece = PIECE; piece >= 1; piece >>= 1) {
    while (length + piece <= most && isSame(length, length + piece)) {
      length += piece;
    }
  }
  return length;
}
