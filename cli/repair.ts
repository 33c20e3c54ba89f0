import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import type { TextChange } from '../protocol/lifecycle/text.ts';
import { buildProject } from '../server/check/buildProject.ts';
import { checkDocument } from '../server/check/checkDocument.ts';
import type { CheckedDocument } from '../server/check/checkedDocument.ts';
import type { Rules } from '../server/check/rules.ts';
import { applyChanges, withoutOverlaps } from './applyChanges.ts';

/** The mechanical repairs of one file. */
export interface Repair {
  readonly changes: readonly TextChange[];
  readonly before: string;
  /** Undefined when the file cannot be written back without touching other bytes. */
  readonly bytes: Uint8Array | undefined;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The mechanical repairs of findings that the rules leave on; undefined when there is none. Only the changed characters
 * differ in the new bytes: byte order mark and line ends stay.
 */
export function repairOf(document: CheckedDocument, bytes: Uint8Array, rules: Rules): Repair | undefined {
  const fixes = checkDocument(document, buildProject([], rules), rules).flatMap(({ fix }) =>
    fix?.mechanical ? fix.changes : [],
  );
  if (fixes.length === 0) {
    return undefined;
  }
  const before = document.outline.text;
  const changes = withoutOverlaps(fixes);
  const mark = BYTE_ORDER_MARK.equals(bytes.subarray(0, 3)) ? BYTE_ORDER_MARK : Buffer.alloc(0);
  const encode = (text: string): Uint8Array => Buffer.concat([mark, Buffer.from(text, 'utf8')]);
  const lossless = Buffer.from(encode(before)).equals(bytes);
  return { changes, before, bytes: lossless ? encode(applyChanges(before, changes)) : undefined };
}

/** Any of the three rights to write: the superuser has them all, but means a read-only file no less. */
const WRITABLE = 0o222;

/**
 * Writes new bytes over those that the file was read with. It stays the same file, with its names, mode and owner.
 * Throws when it may not be written or holds other bytes by now.
 */
export function rewriteFile(path: string, before: Uint8Array, after: Uint8Array): void {
  if ((statSync(path).mode & WRITABLE) === 0) {
    throw new Error('It is read-only.');
  }
  const file = openSync(path, 'r+');
  try {
    const now = readFileSync(file);
    if (now.equals(after)) {
      return;
    }
    if (!now.equals(before)) {
      throw new Error('It has changed since it was read: check it again.');
    }
    for (let at = 0; at < after.length; ) {
      at += writeSync(file, after, at, after.length - at, at);
    }
    ftruncateSync(file, after.length);
  } finally {
    closeSync(file);
  }
}
