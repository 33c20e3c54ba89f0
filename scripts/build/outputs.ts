import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { filesUnder, inRepository } from './paths.ts';

/**
 * Writes a file of the repository only when its content changes, and in one step, so that a program that reads the old
 * one meanwhile (a running editor, another build) never sees half a file.
 */
export function writeOutput(path: string, content: string, mode = 0o644): void {
  const file = inRepository(path);
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, bytes, { mode });
  renameSync(partial, file);
}

/** Deletes every file of a folder (dist/ of the repository, or an absolute path) but the expected ones, whose paths are relative to it. */
export function removeStale(expected: ReadonlySet<string>, folder = 'dist'): void {
  const stale = filesUnder(folder).filter(path => !path.endsWith('.partial') && !expected.has(path));
  for (const path of stale) rmSync(inRepository(folder, path));
}
