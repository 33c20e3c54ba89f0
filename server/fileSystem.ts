import type { CancellationToken } from 'vscode-languageserver';
import type { Folder } from './folders.ts';

/** Files above this are not read: nobody loads 16 MiB of instructions into a model. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Folders that hold other people's files, or none that an agent reads. */
const NOT_ENTERED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Whether a path (relative, with `/`) lies outside the folders that no search enters. */
export function isEntered(path: string): boolean {
  return !path.split('/').some(part => NOT_ENTERED.has(part));
}

/** Which files of a folder are wanted. */
export interface FileSearch {
  /** Globs relative to the folder. */
  readonly include: readonly string[];
  /** The exact answer for a path, relative to the folder, with `/`; `include` may let more through. */
  matches(path: string): boolean;
  readonly limit: number;
}

export interface FoundFiles {
  /** Relative to the folder, with `/`; in no order. */
  readonly paths: readonly string[];
  /** Whether there are more than `limit`. */
  readonly truncated: boolean;
  /** Paths of symbolic links to files that are found by another path, with that path. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Why a file's bytes are not there. */
export type Unreadable = 'unreadable' | 'too-large';

/** Files that are not open in the editor. */
export interface FileSystem {
  /** Rejects when the folder itself cannot be searched; what cannot be read below it is left out and told to `log`. */
  find(folder: Folder, search: FileSearch, log: SkipLog, token: CancellationToken): Promise<FoundFiles>;
  /**
   * What `use` makes of a file's bytes, which are only lent: `use` must not keep them. The path is relative to the folder,
   * with `/`. Rejects only if `use` throws.
   */
  read<T>(folder: Folder, path: string, use: (bytes: Uint8Array) => T): Promise<T | Unreadable>;
  /** Whether the path (relative, with `/`) is a symbolic link; false where nobody can tell. Never rejects. */
  isLink(folder: Folder, path: string): Promise<boolean>;
}

/** What was left out, for one log line a kind. */
export type SkipKind = 'unreadable' | 'too-large' | 'binary' | 'link-twice' | 'broken-link';

const REASONS: Readonly<Record<SkipKind, string>> = {
  unreadable: 'cannot be read',
  'too-large': 'is larger than 16 MiB',
  binary: 'is not text',
  'link-twice': 'is a symbolic link to something that is already there',
  'broken-link': 'is a symbolic link to nothing',
};

/** Collects what a scan leaves out, so that a thousand unreadable files make one log line. */
export class SkipLog {
  readonly #skipped = new Map<SkipKind, { first: string; count: number }>();

  add(kind: SkipKind, path: string): void {
    const known = this.#skipped.get(kind);
    if (known) {
      known.count++;
    } else {
      this.#skipped.set(kind, { first: path, count: 1 });
    }
  }

  /** One sentence for each kind. */
  lines(): readonly string[] {
    return [...this.#skipped].map(([kind, { first, count }]) => {
      const others = count > 1 ? ` (and ${count - 1} more like it)` : '';
      return `Skipped ${first}${others}: it ${REASONS[kind]}.`;
    });
  }
}
