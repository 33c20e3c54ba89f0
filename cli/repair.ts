import { randomBytes } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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

/**
 * Puts new bytes in the place of a file at once: whoever reads it sees the old or the new content, never a part.
 * Symbolic links and the file's mode stay. Rejects when the file cannot be written; the old content is then still there.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const target = await realpath(path);
  const { mode } = await stat(target);
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, bytes, { flag: 'wx', mode });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
