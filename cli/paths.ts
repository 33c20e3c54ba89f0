import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** Whether the path is the folder or lies in it. Both must be absolute and normal, as `resolve` and `join` make them. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/**
 * A path as people see it: relative to the folder, with `/`; absolute where it lies outside. Both must be absolute and
 * normal: `relative` would normalise them again for each of many thousand files.
 */
export function shownPath(path: string, folder: string): string {
  if (path === folder) {
    return '.';
  }
  return withSlashes(
    isInside(path, folder) ? path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1) : path,
  );
}

export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/**
 * The absolute path that a person names. One that leads into the project by a link from elsewhere (on macOS, /tmp is
 * such a link) becomes the path in the project, so that the project's globs see it.
 */
export function namedPath(name: string, cwd: string, root: string): string {
  const path = resolve(cwd, name);
  const real = isInside(path, root) ? path : realPathOf(path);
  return isInside(real, root) ? real : path;
}

/** The path without links; of a file that does not exist, its folder's without links. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPathOf(folder), basename(path));
  }
}
