import { O200K_TOKEN_SPLIT_REGEX as PRE_TOKENS } from 'gpt-tokenizer/encodingParams/constants';

/**
 * The work of a byte-pair encoder grows with the square of a pre-token's length, so none may be longer (in UTF-16 code
 * units). On ordinary text of any kind none is (specs/tokens.md 3).
 */
export const LONGEST_PRE_TOKEN = 256;

/** The regular expression that splits a text runs out of stack on a run of some million characters: it sees windows. */
const WINDOW = 65_536;

/** How far back from its end a window looks for a place where a pre-token is sure to end. */
const LOOK_BACK = 4_096;

/** A pre-token of n code units has n minus this many in a row of one kind: a blank before them, a contraction after. */
const SLACK = 4;

/**
 * A text in pieces whose pre-tokens are all short. Where no cut is needed that is the text itself; each cut adds about one
 * token at most. No cut parts a surrogate pair, and the work is linear.
 */
export function countablePieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = windowEnd(text, start);
    const window = start === 0 && end === text.length ? text : text.slice(start, end);
    if (mayHoldLongRun(window)) {
      pieces.push(...cutLongPreTokens(window));
    } else {
      pieces.push(window);
    }
    start = end;
  }
  return pieces;
}

function windowEnd(text: string, start: number): number {
  const end = start + WINDOW;
  if (end >= text.length) {
    return text.length;
  }
  for (let at = end; at > end - LOOK_BACK; at--) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    if ((before === LINE_FEED && isWordCharacter(after)) || (after === BLANK && isWordCharacter(before))) {
      return at;
    }
  }
  return withinPair(text, end) ? end - 1 : end;
}

/** Longer pre-tokens are cut every `LONGEST_PRE_TOKEN` code units; what stands between them stays together. */
function cutLongPreTokens(text: string): readonly string[] {
  const pieces: string[] = [];
  let kept = 0;
  let before = '';
  for (const { 0: preToken, index } of text.matchAll(PRE_TOKENS)) {
    const previous = before;
    before = preToken;
    if (preToken.length <= LONGEST_PRE_TOKEN) {
      continue;
    }
    // A row of blanks leaves its last one to what follows, which it would not do at the end of a piece.
    if (/^\s$/.test(previous) && index - 1 > kept) {
      pieces.push(text.slice(kept, index - 1));
      kept = index - 1;
    }
    if (index > kept) {
      pieces.push(text.slice(kept, index));
    }
    const end = index + preToken.length;
    for (let start = index; start < end; ) {
      const limit = Math.min(start + LONGEST_PRE_TOKEN, end);
      const cut = limit < end && withinPair(text, limit) ? limit - 1 : limit;
      pieces.push(text.slice(start, cut));
      start = cut;
    }
    kept = end;
  }
  if (kept < text.length) {
    pieces.push(text.slice(kept));
  }
  return pieces;
}

const LINE_FEED = 0x0a;
const BLANK = 0x20;

/** Kinds of characters, as bits: a long pre-token holds a long row of characters that share one. */
const LETTER = 1;
const SPACE = 2;
const SYMBOL = 4;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-zA-Z]/.test(character)) {
    return LETTER;
  }
  // Line ends stand in rows of blanks, and in rows of symbols too.
  if (/[\r\n]/.test(character)) {
    return SPACE | SYMBOL;
  }
  return /\s/.test(character) ? SPACE : /\d/.test(character) ? 0 : SYMBOL;
});

/** Whether it is worth splitting a text. Outside ASCII a character may be of any kind, so the answer may be a needless yes. */
function mayHoldLongRun(text: string): boolean {
  const long = LONGEST_PRE_TOKEN - SLACK;
  let letters = 0;
  let spaces = 0;
  let symbols = 0;
  for (let at = 0; at < text.length; at++) {
    const kinds = KINDS[text.charCodeAt(at)] ?? LETTER | SPACE | SYMBOL;
    letters = kinds & LETTER ? letters + 1 : 0;
    spaces = kinds & SPACE ? spaces + 1 : 0;
    symbols = kinds & SYMBOL ? symbols + 1 : 0;
    if (letters > long || spaces > long || symbols > long) {
      return true;
    }
  }
  return false;
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function withinPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd8_00 && before < 0xdc_00 && after >= 0xdc_00 && after < 0xe0_00;
}
