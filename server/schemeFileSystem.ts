import type { CancellationToken } from 'vscode-languageserver';
import type { FileSearch, FileSystem, FoundFiles, SkipLog, Unreadable } from './fileSystem.ts';
import type { Folder } from './folders.ts';
import { parseUri } from './uriKey.ts';

/** Files of this machine by their `file` URIs, all others through the client. */
export class SchemeFileSystem implements FileSystem {
  readonly #local: FileSystem;
  readonly #remote: FileSystem;

  constructor(local: FileSystem, remote: FileSystem) {
    this.#local = local;
    this.#remote = remote;
  }

  async find(folder: Folder, search: FileSearch, log: SkipLog, token: CancellationToken): Promise<FoundFiles> {
    return this.#for(folder).find(folder, search, log, token);
  }

  async read<T>(folder: Folder, path: string, use: (bytes: Uint8Array) => T): Promise<T | Unreadable> {
    return this.#for(folder).read(folder, path, use);
  }

  async isLink(folder: Folder, path: string): Promise<boolean> {
    return this.#for(folder).isLink(folder, path);
  }

  #for(folder: Folder): FileSystem {
    return parseUri(folder.uri)?.scheme === 'file' ? this.#local : this.#remote;
  }
}
