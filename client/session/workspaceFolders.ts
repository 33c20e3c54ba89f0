import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Says which agents work in this workspace; each answer is kept until the folders change. */
export class WorkspaceFolders {
  readonly #folders: () => readonly string[];
  readonly #answers = new Map<string, boolean>();
  #real: readonly string[] | undefined;

  /** `folders` gives whole paths. */
  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Whether an agent's folder lies in or around a folder of the workspace, links followed. `cwd` is what the agent says of itself;
   * one that is no whole path lies nowhere.
   */
  hold(cwd: string | undefined): boolean {
    if (cwd === undefined || !isAbsolute(cwd)) {
      return false;
    }
    const known = this.#answers.get(cwd);
    if (known !== undefined) {
      return known;
    }
    this.#real ??= this.#folders().map(realPath);
    const theirs = realPath(cwd);
    const answer = this.#real.some(folder => lies(theirs, folder) || lies(folder, theirs));
    this.#answers.set(cwd, answer);
    return answer;
  }

  /** The folders, or what links say, may have changed. */
  forget(): void {
    this.#real = undefined;
    this.#answers.clear();
  }
}

function lies(path: string, inFolder: string): boolean {
  const way = relative(inFolder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path itself where it leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
