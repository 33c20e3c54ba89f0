import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { type Failure, reasonOf } from './failure.ts';
import { filesBelow, isMarkdown } from './findFiles.ts';

export interface Targets {
  /** Absolute paths in the order in which they were named, each once. */
  readonly paths: readonly string[];
  readonly failures: readonly Failure[];
}

/**
 * The files that the arguments name: a file itself, whatever it is called; the Markdown files and the context sources
 * of a folder; the files that match a glob.
 */
export function targetsOf(names: readonly string[], cwd: string, isSource: (path: string) => boolean): Targets {
  const paths = new Set<string>();
  const failures: Failure[] = [];
  const onUnreadable = (path: string, error: unknown): void => {
    failures.push({ path: shownPath(path, cwd), reason: reasonOf(error) });
  };
  /** How many files were found; those that are known already count too. */
  const addAll = (found: Iterable<string>): number => {
    let count = 0;
    for (const path of found) {
      paths.add(path);
      count++;
    }
    return count;
  };
  for (const name of names) {
    const path = resolve(cwd, name);
    const kind = kindOf(path);
    if (kind === 'folder') {
      addAll(filesBelow(path, file => isMarkdown(file) || isSource(file), onUnreadable));
    } else if (kind === 'file') {
      paths.add(path);
    } else if (kind instanceof Error && picomatch.scan(name).isGlob) {
      const before = failures.length;
      if (addAll(filesMatching(name, cwd, onUnreadable)) === 0 && failures.length === before) {
        failures.push({ path: name, reason: 'No file matches this glob.' });
      }
    } else {
      failures.push({ path: name, reason: reasonOf(kind) });
    }
  }
  return { paths: [...paths], failures };
}

function kindOf(path: string): 'file' | 'folder' | Error {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function filesMatching(
  glob: string,
  cwd: string,
  onUnreadable: (path: string, error: unknown) => void,
): Iterable<string> {
  const pattern = withSlashes(glob);
  const scanned = picomatch.scan(pattern);
  const base = resolve(cwd, scanned.base);
  const matches = picomatch(scanned.glob, { dot: true });
  return filesBelow(base, path => matches(shownPath(path, base)), onUnreadable);
}

/**
 * A path as people see it: relative to the folder, with `/`; absolute where it lies outside. Both must be absolute and
 * normal, as `resolve` and `join` make them: `relative` would normalise them again for each of many thousand files.
 */
export function shownPath(path: string, folder: string): string {
  const inside = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  const shown = path.startsWith(inside) ? path.slice(inside.length) : path;
  return path === folder ? '.' : withSlashes(shown);
}

function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
