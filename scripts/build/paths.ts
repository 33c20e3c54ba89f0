import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Absolute path of a file in the repository; a path that is absolute already stays as it is. */
export function inRepository(...parts: readonly string[]): string {
  return resolve(repository, ...parts);
}

/** Path relative to the repository, with `/` on every system. */
export function shortPath(path: string): string {
  return relative(repository, path).split(sep).join('/');
}

/** Every file below a folder (absolute, or of the repository), relative to that folder with `/`, sorted; empty when there is no such folder. */
export function filesUnder(folder: string): readonly string[] {
  const absolute = resolve(repository, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(absolute, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
