import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readRegularFile } from './regularFile.ts';

/**
 * A pattern becomes a regular expression and comes from a repository that may mean harm: the work grows by a power of its
 * wildcards, so a pattern with more than this is left out. A `**` at the end costs nothing and does not count.
 */
const MAX_WILDCARDS = 3;
const MAX_GLOBSTARS = 2;

/**
 * What the .gitignore files of a repository leave out: each counts for its own folder, the deepest one that says
 * anything about a path decides. Files are read when their folder is first asked about.
 */
export class GitIgnore {
  readonly #root: string;
  readonly #byFolder = new Map<string, Ignore | undefined>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** For a walk that starts in `folder`. Where that folder is ignored itself, it was asked for: only files in it count. */
  static forWalk(folder: string): GitIgnore {
    const root = repositoryOf(folder);
    const all = new GitIgnore(root ?? folder);
    return root !== undefined && root !== folder && all.covers(folder, true) ? new GitIgnore(folder) : all;
  }

  /** Whether a path directly inside a folder that is not ignored itself is ignored. */
  covers(path: string, isFolder: boolean): boolean {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const rules = this.#rulesOf(folder);
      if (rules) {
        const verdict = rules.test(`${relative(folder, path).split(sep).join('/')}${isFolder ? '/' : ''}`);
        if (verdict.ignored || verdict.unignored) {
          return verdict.ignored;
        }
      }
      if (folder === this.#root || folder === dirname(folder)) {
        return false;
      }
    }
  }

  #rulesOf(folder: string): Ignore | undefined {
    if (!this.#byFolder.has(folder)) {
      this.#byFolder.set(folder, readRules(join(folder, '.gitignore')));
    }
    return this.#byFolder.get(folder);
  }
}

/** The nearest folder at or above this one that holds `.git`; undefined outside a repository. */
export function repositoryOf(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) {
      return current;
    }
    if (current === dirname(current)) {
      return undefined;
    }
  }
}

/** Undefined where there is no such file or it cannot be read: then nothing is ignored, and more is checked. */
function readRules(path: string): Ignore | undefined {
  let text: string;
  try {
    text = readRegularFile(path).toString('utf8');
  } catch {
    return undefined;
  }
  return ignore({ ignorecase: false }).add(text.split(/\r\n|\n|\r/).filter(isBounded));
}

function isBounded(pattern: string): boolean {
  const beforeEnd = pattern.replace(/\/\*\*\/?$/, '');
  const wildcards = beforeEnd.match(/\*+/g) ?? [];
  return wildcards.length <= MAX_WILDCARDS && wildcards.filter(stars => stars.length > 1).length <= MAX_GLOBSTARS;
}
