import { afterLineEnd, isLineEnd, isLineStart, type TextRange, type Work } from './text.ts';

/** What the four exact lines declare (V1: Grammar). */
export type DeclarationKind = 'ephemeral' | 'opening' | 'closing' | 'discard';

/** One exact tag line. */
export interface Declaration {
  readonly kind: DeclarationKind;
  /** The block ID; the empty string for `ephemeral`. */
  readonly id: string;
  /** The line without its line end. */
  readonly range: TextRange;
  /** Where the next line starts, or the end of the text. */
  readonly next: number;
}

/** The characters before the ID, or the whole line for `ephemeral`. */
export const TAG_PREFIX: Readonly<Record<DeclarationKind, string>> = {
  ephemeral: '<!--ephemeral',
  opening: '<!--BLOCK_ID:',
  closing: '<!--/BLOCK_ID:',
  discard: '<!--DISCARD_BLOCK:',
};

const TAG_SUFFIX = '-->';

/** The exact line of a declaration, without a line end; `id` is not looked at for `ephemeral`. */
export function tagLine(kind: DeclarationKind, id = ''): string {
  return `${TAG_PREFIX[kind]}${kind === 'ephemeral' ? '' : id}${TAG_SUFFIX}`;
}

/** Where the ID stands in a declaration's line; empty at the end of the keyword for `ephemeral`. */
export function idRange(declaration: Declaration): TextRange {
  const start = declaration.range.start + TAG_PREFIX[declaration.kind].length;
  return { start, end: declaration.range.end - TAG_SUFFIX.length };
}

/** V1: Grammar: `block_id` matches `[a-z0-9_-]+`. */
export function isBlockId(id: string): boolean {
  return id !== '' && idEnd(id, 0) === id.length;
}

/** Whether the UTF-16 unit may stand in a block ID. */
export function isBlockIdCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f // a-z 0-9 - _
  );
}

function idEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlockIdCode(text.charCodeAt(at))) {
    at++;
  }
  return at;
}

/**
 * The declaration whose line starts at `start`, or undefined when the line is anything else.
 * V1: Grammar: no trimming, no normalising, no repair.
 */
export function readDeclaration(text: string, start: number, work?: Work): Declaration | undefined {
  const kind = declaredKindAt(text, start, work);
  return kind && finishDeclaration(text, start, kind, work);
}

/** The kind whose prefix starts the line at `start`; its rest may be anything. */
export function declaredKindAt(text: string, start: number, work?: Work): DeclarationKind | undefined {
  const kind = isLineStart(text, start) ? kindAt(text, start) : undefined;
  if (kind && work) {
    work.visited += TAG_PREFIX[kind].length;
  }
  return kind;
}

/** The declaration at `start`, where the prefix of `kind` stands at the start of a line. */
export function finishDeclaration(
  text: string,
  start: number,
  kind: DeclarationKind,
  work?: Work,
): Declaration | undefined {
  const idStart = start + TAG_PREFIX[kind].length;
  const suffix = kind === 'ephemeral' ? idStart : suffixStart(text, idStart, work);
  if (suffix < 0 || !text.startsWith(TAG_SUFFIX, suffix)) {
    return undefined;
  }
  const end = suffix + TAG_SUFFIX.length;
  if (end < text.length && !isLineEnd(text.charCodeAt(end))) {
    return undefined;
  }
  return { kind, id: text.slice(idStart, suffix), range: { start, end }, next: afterLineEnd(text, end) };
}

/** The ID takes every `-` it can, and the suffix needs the last two back: `<!--BLOCK_ID:a--->` has the ID `a-`. */
function suffixStart(text: string, idStart: number, work: Work | undefined): number {
  const end = idEnd(text, idStart);
  if (work) {
    work.visited += end - idStart;
  }
  const suffix = text.charCodeAt(end) === 0x3e ? end - 2 : -1;
  return suffix > idStart ? suffix : -1;
}

function kindAt(text: string, start: number): DeclarationKind | undefined {
  switch (text.charCodeAt(start + 4)) {
    case 0x65: // e
      return text.startsWith(TAG_PREFIX.ephemeral, start) ? 'ephemeral' : undefined;
    case 0x42: // B
      return text.startsWith(TAG_PREFIX.opening, start) ? 'opening' : undefined;
    case 0x2f: // /
      return text.startsWith(TAG_PREFIX.closing, start) ? 'closing' : undefined;
    case 0x44: // D
      return text.startsWith(TAG_PREFIX.discard, start) ? 'discard' : undefined;
    default:
      return undefined;
  }
}
