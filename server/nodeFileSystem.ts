import * as fs from 'node:fs';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import type { CancellationToken } from 'vscode-languageserver';
import { FileReader } from './fileReader.ts';
import {
  type FileSearch,
  type FileSystem,
  type FoundFiles,
  isEntered,
  type SkipLog,
  type Unreadable,
} from './fileSystem.ts';
import { type Folder, folderPath } from './folders.ts';
import { TimeSlices } from './timeSlices.ts';

const realpath = promisify(fs.realpath.native);
const stat = promisify(fs.stat);

/** After how many entries the walk looks whether its time is up. */
const LOOK_UP = 64;

/** The file system of the machine that the server runs on; knows `file` URIs only. */
export class NodeFileSystem implements FileSystem {
  readonly #reader = new FileReader();

  async find(folder: Folder, search: FileSearch, log: SkipLog, token: CancellationToken): Promise<FoundFiles> {
    const { paths, aliases } = await new FolderWalk(folderPath(folder), search, log, token).run();
    return { paths: paths.slice(0, search.limit), truncated: paths.length > search.limit, aliases };
  }

  async read<T>(folder: Folder, path: string, use: (bytes: Uint8Array) => T): Promise<T | Unreadable> {
    return this.#reader.read(folderPath(folder) + sep + path, use);
  }

  async isLink(folder: Folder, path: string): Promise<boolean> {
    try {
      return fs.lstatSync(folderPath(folder) + sep + path).isSymbolicLink();
    } catch {
      return false;
    }
  }
}

/** A folder that waits to be read. */
interface WaitingFolder {
  /** Relative to the root, with `/`; empty for the root itself. */
  readonly path: string;
  /** Where it really lies: differs from the path below a symbolic link. */
  readonly real: string;
}

/**
 * One search. Symbolic links are followed after everything else, a folder behind links is entered once, and a file that is
 * found already is not found again, so no loop of links can form (editor-bugs 50: URIs keep the links' own paths).
 */
class FolderWalk {
  readonly #root: string;
  readonly #search: FileSearch;
  readonly #log: SkipLog;
  readonly #token: CancellationToken;
  readonly #slices = new TimeSlices();
  readonly #waiting: WaitingFolder[] = [];
  readonly #links: WaitingFolder[] = [];
  /** Real paths of the folders that links led into. */
  readonly #entered = new Set<string>();
  /** Paths by real path. */
  readonly #found = new Map<string, string>();
  /** Other paths of found files, with the path that was taken. */
  readonly #aliases = new Map<string, string>();

  constructor(root: string, search: FileSearch, log: SkipLog, token: CancellationToken) {
    this.#root = root;
    this.#search = search;
    this.#log = log;
    this.#token = token;
  }

  async run(): Promise<{ paths: readonly string[]; aliases: ReadonlyMap<string, string> }> {
    this.#waiting.push({ path: '', real: await realpath(this.#root) });
    await this.#readFolders();
    for (let link = this.#links.shift(); link && !this.#done(); link = this.#links.shift()) {
      await this.#follow(link);
      await this.#readFolders();
    }
    return { paths: [...this.#found.values()], aliases: this.#aliases };
  }

  #done(): boolean {
    return this.#token.isCancellationRequested || this.#found.size > this.#search.limit;
  }

  async #readFolders(): Promise<void> {
    // Grows while it is walked: the files near the root are the ones to keep when there are too many.
    for (const folder of this.#waiting) {
      if (this.#done()) {
        break;
      }
      await this.#readFolder(folder);
    }
    this.#waiting.length = 0;
  }

  async #readFolder({ path, real }: WaitingFolder): Promise<void> {
    let entries: readonly fs.Dirent[];
    try {
      entries = fs.readdirSync(real, { withFileTypes: true });
    } catch {
      this.#log.add('unreadable', path);
      return;
    }
    const [before, realBefore] = [path === '' ? '' : `${path}/`, real.endsWith(sep) ? real : real + sep];
    for (const [index, entry] of entries.entries()) {
      if (index % LOOK_UP === 0) {
        await this.#slices.turn();
      }
      if (this.#done()) {
        return;
      }
      this.#take(entry, before + entry.name, realBefore + entry.name);
    }
  }

  #take(entry: fs.Dirent, path: string, real: string): void {
    if (entry.isDirectory()) {
      if (isEntered(entry.name)) {
        this.#waiting.push({ path, real });
      }
    } else if (entry.isSymbolicLink()) {
      this.#links.push({ path, real });
    } else if (entry.isFile()) {
      this.#takeFile(path, real);
    }
  }

  #takeFile(path: string, real: string): void {
    if (!this.#search.matches(path)) {
      return;
    }
    const known = this.#found.get(real);
    if (known === undefined) {
      this.#found.set(real, path);
    } else {
      this.#aliases.set(path, known);
      this.#log.add('link-twice', path);
    }
  }

  async #follow({ path, real }: WaitingFolder): Promise<void> {
    try {
      const target = await realpath(real);
      const kind = await stat(target);
      if (kind.isFile()) {
        this.#takeFile(path, target);
      } else if (kind.isDirectory() && !this.#isLoop(real, target)) {
        this.#entered.add(target);
        this.#waiting.push({ path, real: target });
      } else if (kind.isDirectory()) {
        this.#log.add('link-twice', path);
      }
    } catch {
      this.#log.add('broken-link', path);
    }
  }

  #isLoop(link: string, target: string): boolean {
    return this.#entered.has(target) || `${link}${sep}`.startsWith(target.endsWith(sep) ? target : `${target}${sep}`);
  }
}
