import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that its owner alone can read, and never over one that is there, unless `force` says so: then it is there whole or not
 * at all. Throws the system's errors, and an error with a sentence.
 */
export function writeSaved(path: string, text: string, force: boolean): void {
  if (!force) {
    return writeNew(path, text);
  }
  const draft = `${path}.${randomBytes(4).toString('hex')}.new`;
  writeNew(draft, text);
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeNew(path: string, text: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    throw existsSync(path) && (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? new Error('It is there already. Name another file with --out, or write over it with --force.')
      : error;
  }
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
