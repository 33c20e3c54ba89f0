import type { CancellationToken, Connection } from 'vscode-languageserver';
import {
  FIND_FILES_REQUEST,
  type FindFilesParams,
  READ_FILE_REQUEST,
  type ReadFileParams,
} from '../protocol/lifecycle/editorRequests.ts';
import { type FileSearch, type FileSystem, type FoundFiles, MAX_FILE_BYTES, type Unreadable } from './fileSystem.ts';
import { type Folder, pathInFolder, uriInFolder } from './folders.ts';

/**
 * Files that only the client can reach: those of a browser's workspace, or of a virtual one. A client that does not
 * know our two requests makes `find` reject.
 */
export class ClientFileSystem implements FileSystem {
  readonly #connection: Pick<Connection, 'sendRequest'>;

  constructor(connection: Pick<Connection, 'sendRequest'>) {
    this.#connection = connection;
  }

  async find(folder: Folder, search: FileSearch, _log: unknown, token: CancellationToken): Promise<FoundFiles> {
    // One more than wanted, to learn whether there are more.
    const params: FindFilesParams = { folder: folder.uri, include: search.include, limit: search.limit + 1 };
    const answer: unknown = await this.#connection.sendRequest(FIND_FILES_REQUEST, params, token);
    const paths = strings(answer).flatMap(uri => {
      const path = pathInFolder(folder, uri);
      return path !== undefined && search.matches(path) ? [path] : [];
    });
    return { paths: paths.slice(0, search.limit), truncated: paths.length > search.limit, aliases: new Map() };
  }

  async read<T>(folder: Folder, path: string, use: (bytes: Uint8Array) => T): Promise<T | Unreadable> {
    const bytes = await this.#bytesOf(uriInFolder(folder, path));
    return bytes ? use(bytes) : 'unreadable';
  }

  async isLink(): Promise<boolean> {
    return false;
  }

  async #bytesOf(uri: string): Promise<Uint8Array | undefined> {
    try {
      const params: ReadFileParams = { uri, maxBytes: MAX_FILE_BYTES };
      const answer: unknown = await this.#connection.sendRequest(READ_FILE_REQUEST, params);
      return typeof answer === 'string' ? bytesOf(answer) : undefined;
    } catch {
      return undefined;
    }
  }
}

function strings(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter(item => typeof item === 'string') : [];
}

/** The bytes of a base64 text; throws when it is none. */
function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
}
