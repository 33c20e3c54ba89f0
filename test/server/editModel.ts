import type { Position } from 'vscode-languageserver-protocol';
import type { PositionEncoding } from '../../server/positionEncoding.ts';

/**
 * A second, slow and simple account of what an LSP edit does, to compare the server with: positions are counted by
 * walking the text, and units by Node's own encoders.
 */

/** A small, fast and repeatable source of numbers (mulberry32). */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Pieces that hurt: every line end, characters of every width, tag lines and things that only look like them. */
const PIECES: readonly string[] = [
  '\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u0085',
  'a',
  ' ',
  '\t',
  'é',
  '漢字',
  '👩‍💻',
  '𝒳',
  '\ufeff',
  '<!--',
  '-->',
  '<!--ephemeral-->',
  '<!--BLOCK_ID:a-->',
  '<!--/BLOCK_ID:a-->',
  '<!--DISCARD_BLOCK:a-->',
  '\n<!--BLOCK_ID:b_1-->\n',
  '\r\n<!--/BLOCK_ID:b_1-->\r\n',
  '',
];

/** The line and the units of `encoding` before an offset; the offset must lie on a place that a position can name. */
export function positionOf(text: string, offset: number, encoding: PositionEncoding): Position {
  let line = 0;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const isEnd = text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n');
    if (isEnd) {
      line++;
      lineStart = at + 1;
    }
  }
  const before = text.slice(lineStart, offset);
  const units = { 'utf-8': Buffer.byteLength(before), 'utf-16': before.length, 'utf-32': [...before].length };
  return { line, character: units[encoding] };
}

/** Whether a position can name the offset: not inside a line end of two characters, nor inside a surrogate pair. */
export function isPlace(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  const insideLineEnd = before === 0x0d && after === 0x0a;
  const insidePair = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return !insideLineEnd && !insidePair;
}

/** A replacement at random places of the text. */
export function randomEdit(text: string, random: (below: number) => number, limit: number) {
  const start = placeNear(text, random(text.length + 1));
  const reach = random(4) === 0 ? random(12) : 0;
  // A text that has grown enough is cut, so that edits stay quick.
  const end = placeNear(text, Math.min(text.length, text.length > limit ? start + limit / 2 : start + reach));
  const newText = Array.from({ length: random(4) }, () => PIECES[random(PIECES.length)] ?? '').join('');
  return { start: Math.min(start, end), end: Math.max(start, end), newText };
}

function placeNear(text: string, offset: number): number {
  let at = offset;
  while (!isPlace(text, at)) {
    at++;
  }
  return at;
}
