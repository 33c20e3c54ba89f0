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
    return this.#for(folder.uri).find(folder, search, log, token);
  }

  async read(uri: string): Promise<Uint8Array | Unreadable> {
    return this.#for(uri).read(uri);
  }

  #for(uri: string): FileSystem {
    return parseUri(uri)?.scheme === 'file' ? this.#local : this.#remote;
  }
}
