import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GitIgnore } from './gitIgnore.ts';

/** Folders that are never walked into, whatever .gitignore says. */
const SKIPPED = new Set(['.git', 'node_modules']);

/** Markdown by name. MDX is not: HTML comments are no legal MDX, so no tag line can stand in it. */
const MARKDOWN = /\.(?:md|markdown|mdc)$/i;

export function isMarkdown(path: string): boolean {
  return MARKDOWN.test(path);
}

/** Called for a folder that cannot be read; the walk goes on. */
export type OnUnreadable = (path: string, error: unknown) => void;

/** Called for a symbolic link that .gitignore does not name. */
type OnLink = (path: string) => void;

/**
 * The regular files below a folder that are wanted, as absolute paths, in a fixed order: by name, the files of a folder
 * before its sub-folders. What .gitignore files name is left out. Symbolic links are not followed, so no link loop can
 * trap the walk and a link such as CLAUDE.md -> AGENTS.md is not a second source; a link named on the command line is
 * read.
 */
export function* filesBelow(
  folder: string,
  wanted: (path: string) => boolean,
  onUnreadable: OnUnreadable,
  onLink: OnLink = () => undefined,
): Generator<string> {
  const ignored = GitIgnore.forWalk(folder);
  const pending = [folder];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const subfolders: string[] = [];
    for (const entry of entriesOf(current, onUnreadable)) {
      const path = join(current, entry.name);
      if (entry.isFile() && wanted(path) && !ignored.covers(path, false)) {
        yield path;
      } else if (entry.isDirectory() && !SKIPPED.has(entry.name) && !ignored.covers(path, true)) {
        subfolders.push(path);
      } else if (entry.isSymbolicLink() && !SKIPPED.has(entry.name) && !ignored.covers(path, false)) {
        onLink(path);
      }
    }
    pending.push(...subfolders.reverse());
  }
}

function entriesOf(folder: string, onUnreadable: OnUnreadable): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    onUnreadable(folder, error);
    return [];
  }
}
