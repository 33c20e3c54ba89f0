import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type Disposable,
  FileChangeType,
  type FileEvent,
  type FileSystemWatcher,
  WatchKind,
} from 'vscode-languageserver';
import { PROJECT_FILE } from './check/projectFile.ts';
import type { ClientProfile } from './clientProfile.ts';
import { isEntered } from './fileSystem.ts';
import type { FolderIndex } from './folderIndex.ts';
import { pathInFolder } from './folders.ts';
import type { Workspace } from './workspace.ts';

/**
 * Follows changes outside the editor. Only the client can watch files; where it cannot, files are read at the start, and
 * again when their document closes or the settings change.
 */
export class WatchedFiles {
  readonly #connection: Pick<Connection, 'client' | 'console'>;
  readonly #profile: ClientProfile;
  readonly #workspace: Workspace;
  #registered: { readonly watchers: string; readonly registration: Promise<Disposable | undefined> } | undefined;

  constructor(connection: Pick<Connection, 'client' | 'console'>, profile: ClientProfile, workspace: Workspace) {
    this.#connection = connection;
    this.#profile = profile;
    this.#workspace = workspace;
  }

  /** Asks the client to watch what the folders and settings of now need. */
  async register(): Promise<void> {
    if (!this.#profile.watchesFiles) {
      return;
    }
    const watchers = this.#workspace.folders.flatMap(folder => this.#watchersOf(folder));
    const before = this.#registered;
    if (before?.watchers === JSON.stringify(watchers)) {
      return;
    }
    this.#registered = { watchers: JSON.stringify(watchers), registration: this.#ask(watchers) };
    (await before?.registration)?.dispose();
    await this.#registered.registration;
  }

  /** Reads again what has changed, all files of one batch together. */
  async changed(events: readonly FileEvent[]): Promise<void> {
    await Promise.all(this.#workspace.folders.map(async folder => this.#changedIn(folder, events)));
  }

  async #changedIn(folder: FolderIndex, events: readonly FileEvent[]): Promise<void> {
    // The last event of a path counts: a branch switch may delete a file and create it again.
    const last = new Map<string, FileChangeType>();
    for (const { uri, type } of events) {
      const path = pathInFolder(folder, uri);
      if (path !== undefined && isEntered(path)) {
        last.set(path, type);
      }
    }
    if (last.has(PROJECT_FILE)) {
      await this.#workspace.reload();
    }
    const paths = [...last];
    const gone = paths.filter(([, type]) => type === FileChangeType.Deleted).map(([path]) => path);
    const present = paths.filter(([, type]) => type !== FileChangeType.Deleted).map(([path]) => path);
    const folderCame = paths.some(([path, type]) => type === FileChangeType.Created && mayBeFolder(path));
    await folder.remove(gone);
    if (folderCame || (await folder.changesLinks(present, gone))) {
      await folder.scan();
    } else {
      await folder.reread(present);
    }
  }

  async #ask(watchers: FileSystemWatcher[]): Promise<Disposable | undefined> {
    try {
      return await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    } catch (error) {
      this.#connection.console.warn(
        `The client does not watch files, so changes outside of it go unseen: ${String(error)}`,
      );
      return undefined;
    }
  }

  /**
   * Changes of context sources and of the project file; creation and deletion of anything, because a client reports a
   * folder that comes or goes by the folder's own name only.
   */
  #watchersOf(folder: FolderIndex): FileSystemWatcher[] {
    const inside = (glob: string): FileSystemWatcher['globPattern'] =>
      this.#profile.relativeWatchPatterns
        ? { baseUri: folder.uri, pattern: glob }
        : `**/${glob.replace(/^\*\*\//, '')}`;
    return [
      { globPattern: inside('**/*'), kind: WatchKind.Create | WatchKind.Delete },
      ...[PROJECT_FILE, ...folder.setup.rules.sources].map(glob => ({
        globPattern: inside(glob),
        kind: WatchKind.Change,
      })),
    ];
  }
}

/** Folders rarely have an extension, and a file without one costs no more than a needless look. */
function mayBeFolder(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return !name.slice(1).includes('.');
}
