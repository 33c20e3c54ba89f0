import { randomBytes } from 'node:crypto';
import { closeSync, constants, fdatasyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { openPrivateFile } from './privateFolder.ts';

/**
 * Writes a file of ours, in place of the one that is there: it is there whole or not at all. Throws the system's errors and
 * `UnsafeFolderError`.
 */
export function replacePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}.new`;
  const descriptor = openPrivateFile(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    writeFileSync(descriptor, text);
    fdatasyncSync(descriptor);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
