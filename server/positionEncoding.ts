/** How positions count characters within a line. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

const KNOWN: ReadonlySet<string> = new Set<PositionEncoding>(['utf-8', 'utf-16', 'utf-32']);

/** The first encoding of the client's list that we know; LSP's default `utf-16` when there is none. */
export function negotiateEncoding(offered: readonly string[] | undefined): PositionEncoding {
  return offered?.find((name): name is PositionEncoding => KNOWN.has(name)) ?? 'utf-16';
}

/** How many units of `encoding` the text takes from `start` to `end` (UTF-16 offsets). */
export function unitsBetween(text: string, start: number, end: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') {
    return end - start;
  }
  let units = 0;
  for (let at = start; at < end; at += widthAt(text, at)) {
    units += unitsAt(text, at, encoding);
  }
  return units;
}

/** The offset that is `units` units behind `start`, at most `end`; never inside a character of UTF-8 or UTF-32. */
export function offsetAfter(
  text: string,
  start: number,
  end: number,
  units: number,
  encoding: PositionEncoding,
): number {
  if (encoding === 'utf-16') {
    return Math.min(start + Math.max(units, 0), end);
  }
  let left = units;
  let at = start;
  while (at < end) {
    left -= unitsAt(text, at, encoding);
    if (left < 0) {
      return at;
    }
    at += widthAt(text, at);
  }
  return Math.min(at, end);
}

/** The offset itself, or the one before it when it stands between the two halves of a pair of surrogates. */
export function characterStart(text: string, offset: number): number {
  return offset > 0 && widthAt(text, offset - 1) === 2 ? offset - 1 : offset;
}

/** UTF-16 units of the character at `at`: 2 for a pair of surrogates. */
function widthAt(text: string, at: number): 1 | 2 {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdbff) {
    return 1;
  }
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

/** A lone surrogate counts as U+FFFD, which is what a client that speaks UTF-8 must have received. */
function unitsAt(text: string, at: number, encoding: 'utf-8' | 'utf-32'): number {
  if (encoding === 'utf-32') {
    return 1;
  }
  const code = text.charCodeAt(at);
  if (code < 0x80) {
    return 1;
  }
  if (code < 0x800) {
    return 2;
  }
  return widthAt(text, at) === 2 ? 4 : 3;
}
