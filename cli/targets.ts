import { statSync } from 'node:fs';
import { Minimatch } from 'minimatch';
import { EMPTY_NAME, type Failure, reasonOf } from './failure.ts';
import { filesBelow, isMarkdown, type OnUnreadable } from './findFiles.ts';
import { namedPath, shownPath, withSlashes } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';

export interface Targets {
  /** Absolute paths in the order in which they were named, each once. */
  readonly paths: readonly string[];
  readonly failures: readonly Failure[];
}

/**
 * The files that the arguments name: a file itself, whatever it is called; the Markdown files and the context sources
 * of a folder; the files that match a glob.
 */
export function targetsOf(names: readonly string[], cwd: string, project: ProjectFolder): Targets {
  const paths = new Set<string>();
  const failures: Failure[] = [];
  const onUnreadable = (path: string, error: unknown): void => {
    failures.push({ path: shownPath(path, cwd), reason: reasonOf(error, path) });
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
    const path = namedPath(name, cwd, project.root);
    const kind = kindOf(path);
    if (name === '') {
      failures.push(EMPTY_NAME);
    } else if (kind === 'folder') {
      addAll(filesBelow(path, file => isMarkdown(file) || project.isSource(file), onUnreadable));
    } else if (kind === 'file') {
      paths.add(path);
    } else if (GLOB.test(name)) {
      const before = failures.length;
      if (addAll(filesMatching(name, cwd, project.root, onUnreadable)) === 0 && failures.length === before) {
        failures.push({ path: name, reason: 'No file matches this glob.' });
      }
    } else {
      failures.push({ path: name, reason: reasonOf(kind, name) });
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

const GLOB = /[*?[{]|[!+@]\(/;

/** The files below the folder in front of the first wildcard. */
function filesMatching(glob: string, cwd: string, root: string, onUnreadable: OnUnreadable): Iterable<string> {
  const parts = withSlashes(glob).split('/');
  const first = parts.findIndex(part => GLOB.test(part));
  const folder = namedPath(first === 0 ? '.' : `${parts.slice(0, first).join('/')}/`, cwd, root);
  const matcher = new Minimatch(parts.slice(first).join('/'), {
    dot: true,
    nocomment: true,
    nonegate: true,
    platform: 'linux',
  });
  return filesBelow(folder, path => matcher.match(shownPath(path, folder)), onUnreadable);
}
