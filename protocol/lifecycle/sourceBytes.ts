import { CARRIAGE_RETURN, LINE_FEED, LineCounter, type Message, type TextRange } from './text.ts';
import { findUtf8Faults } from './utf8Faults.ts';

/** What a reader of files notes about bytes that the editor's text no longer shows (DESIGN flow 1). */
export const BYTE_NOTE_CODES = ['byte-order-mark', 'utf-16', 'invalid-utf8', 'mixed-line-ends', 'lone-cr'] as const;

export type ByteNoteCode = (typeof BYTE_NOTE_CODES)[number];

/** One thing about a file's bytes. */
export interface ByteNote {
  readonly code: ByteNoteCode;
  /** The first place in the decoded text; empty at the start for what concerns the whole file. */
  readonly range: TextRange;
  /** The line of `range.start`, from 1. */
  readonly line: number;
  readonly message: Message;
}

/** A file's text, with what its bytes held beside the text; notes in document order. */
export interface DecodedSource {
  readonly text: string;
  readonly notes: readonly ByteNote[];
}

export type SourceEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * Decodes bytes that hold no encoding's mark any more, putting U+FFFD where they are wrong. It must take off nothing:
 * `(label, bytes) => new TextDecoder(label, { ignoreBOM: true }).decode(bytes)`.
 */
export type Decode = (encoding: SourceEncoding, bytes: Uint8Array) => string;

const MESSAGES = {
  byteOrderMark:
    'The file starts with a byte order mark (U+FEFF). It is no part of the text, but tools that keep it see no tag in line 1.',
  utf16: 'The file is UTF-16 ({0}). Agents expect UTF-8: save it as UTF-8.',
  invalidUtf8: 'These bytes are no UTF-8 and are read as U+FFFD. Places like this in the file: {0}.',
  mixed: 'The file mixes line ends ({0}); editors show them all alike. This is the first that differs.',
  loneCr:
    'A carriage return (CR) alone ends this line. Some tools do not take it for a line end. Places like this in the file: {0}.',
} as const;

/**
 * Reads a file's bytes by the one rule: a leading byte order mark is the encoding's mark and exactly one is taken off;
 * UTF-16 is read only with its mark, all else as UTF-8. Never throws unless `decode` does.
 */
export function decodeSource(bytes: Uint8Array, decode: Decode): DecodedSource {
  const { encoding, markLength } = encodingOf(bytes);
  const content = markLength === 0 ? bytes : bytes.subarray(markLength);
  const text = decode(encoding, content);
  const start = { start: 0, end: 0 };
  const notes: Omit<ByteNote, 'line'>[] = [];
  if (encoding !== 'utf-8') {
    const order = encoding === 'utf-16le' ? 'little-endian' : 'big-endian';
    notes.push({ code: 'utf-16', range: start, message: { template: MESSAGES.utf16, values: [order] } });
  } else if (markLength > 0) {
    notes.push({ code: 'byte-order-mark', range: start, message: { template: MESSAGES.byteOrderMark, values: [] } });
  }
  if (encoding === 'utf-8' && text.includes('\ufffd')) {
    const { count, firstOffset } = findUtf8Faults(content);
    if (count > 0) {
      notes.push(noteAt('invalid-utf8', firstOffset, 1, MESSAGES.invalidUtf8, String(count)));
    }
  }
  notes.push(...lineEndNotes(text));
  notes.sort((a, b) => a.range.start - b.range.start);
  const lines = new LineCounter(text);
  return { text, notes: notes.map(note => ({ ...note, line: lines.lineAt(note.range.start) })) };
}

const LESS_THAN = 0x3c;
const EXCLAMATION_MARK = 0x21;

/** How many bytes `looksBinary` looks at; the rule and the number are Git's. */
const BINARY_PROBE = 8000;

/** Whether the bytes are no text: a NUL near the start, and no mark of UTF-16, whose text is full of them. */
export function looksBinary(bytes: Uint8Array): boolean {
  return encodingOf(bytes).encoding === 'utf-8' && bytes.subarray(0, BINARY_PROBE).includes(0);
}

/**
 * Whether decoding and parsing the bytes would find nothing: ASCII, no line end but `\n`, and no `<!`. Most files of a
 * workspace are like that, and this takes a fraction of the time. False says nothing.
 */
export function saysNothing(bytes: Uint8Array): boolean {
  return isAscii(bytes) && !bytes.includes(CARRIAGE_RETURN) && !holdsCandidate(bytes);
}

function holdsCandidate(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(LESS_THAN); at >= 0; at = bytes.indexOf(LESS_THAN, at + 1)) {
    if (bytes[at + 1] === EXCLAMATION_MARK) {
      return true;
    }
  }
  return false;
}

/** Looks at four bytes at a time where the memory allows it. */
function isAscii(bytes: Uint8Array): boolean {
  const count = bytes.byteOffset % 4 === 0 ? bytes.length >> 2 : 0;
  const words = new Uint32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset, count);
  let seen = 0;
  for (let at = 0; at < count; at++) {
    seen |= words[at] ?? 0;
  }
  for (let at = count * 4; at < bytes.length; at++) {
    seen |= bytes[at] ?? 0;
  }
  return (seen & 0x80808080) === 0;
}

function encodingOf(bytes: Uint8Array): { readonly encoding: SourceEncoding; readonly markLength: number } {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) {
    return { encoding: 'utf-16le', markLength: 2 };
  }
  if (first === 0xfe && second === 0xff) {
    return { encoding: 'utf-16be', markLength: 2 };
  }
  return { encoding: 'utf-8', markLength: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
}

function noteAt(
  code: ByteNoteCode,
  start: number,
  length: number,
  template: string,
  value: string,
): Omit<ByteNote, 'line'> {
  return { code, range: { start, end: start + length }, message: { template, values: [value] } };
}

/** One kind of line end: how many, and where the first stands (-1 for none). */
interface LineEndKind {
  readonly name: string;
  readonly length: number;
  count: number;
  first: number;
}

function lineEndNotes(text: string): readonly Omit<ByteNote, 'line'>[] {
  const carriageReturn = text.indexOf('\r');
  if (carriageReturn < 0) {
    return [];
  }
  const kinds = countLineEnds(text, carriageReturn);
  const used = Object.values(kinds)
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.first - b.first);
  const notes: Omit<ByteNote, 'line'>[] = [];
  const [, second] = used;
  if (second) {
    const counts = used.map(({ name, count }) => `${count} ${name}`).join(', ');
    notes.push(noteAt('mixed-line-ends', second.first, second.length, MESSAGES.mixed, counts));
  }
  if (kinds.cr.count > 0) {
    notes.push(noteAt('lone-cr', kinds.cr.first, 1, MESSAGES.loneCr, String(kinds.cr.count)));
  }
  return notes;
}

function countLineEnds(text: string, firstCarriageReturn: number): Readonly<Record<'lf' | 'crlf' | 'cr', LineEndKind>> {
  const lf: LineEndKind = { name: 'LF', length: 1, count: 0, first: -1 };
  const crlf: LineEndKind = { name: 'CRLF', length: 2, count: 0, first: -1 };
  const cr: LineEndKind = { name: 'CR', length: 1, count: 0, first: -1 };
  const note = (kind: LineEndKind, at: number): void => {
    kind.first = kind.count === 0 ? at : kind.first;
    kind.count++;
  };
  for (let at = firstCarriageReturn; at >= 0; at = text.indexOf('\r', at + 1)) {
    note(text.charCodeAt(at + 1) === LINE_FEED ? crlf : cr, at);
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charCodeAt(at - 1) !== CARRIAGE_RETURN) {
      note(lf, at);
    }
  }
  return { lf, crlf, cr };
}
