import type { WorkspaceFoldersChangeEvent } from 'vscode-languageserver';
import { buildProject } from './check/buildProject.ts';
import type { UnratedFinding } from './check/finding.ts';
import type { Project, SourceSummary } from './check/project.ts';
import type { Rules } from './check/rules.ts';
import type { OpenDocument } from './document.ts';
import type { FileSystem } from './fileSystem.ts';
import { FolderIndex } from './folderIndex.ts';
import { type Folder, fileName, folderOf, pathInFolder, toFolder, uriInFolder } from './folders.ts';
import type { Log } from './log.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { OpenSource } from './openSource.ts';
import type { SettingsSource } from './settingsSource.ts';
import { DEFAULT_SETUP, loadSetup, type Setup } from './setup.ts';
import { uriKey } from './uriKey.ts';

/** What a document is checked against, and as which file. */
export interface DocumentContext {
  readonly uri: string;
  readonly path: string;
  readonly project: Project;
  readonly rules: Rules;
  /** What the file's bytes show and the text does not. */
  readonly noted: readonly UnratedFinding[];
}

/** What the workspace needs from its surroundings. */
export interface WorkspaceParts {
  readonly files: FileSystem;
  readonly settings: SettingsSource;
  readonly documents: OpenDocuments;
  readonly log: Log;
  /** Called when anything but an open document's text has changed that findings depend on. */
  readonly changed: () => void;
}

/** All folders of the workspace with their context sources, and the documents that lie in none. */
export class Workspace {
  readonly #parts: WorkspaceParts;
  readonly #folders = new Map<string, FolderIndex>();
  readonly #loose = new WeakMap<OpenDocument, LooseProject>();
  #looseSetup = DEFAULT_SETUP;
  #reloads = 0;
  #started: () => void = () => undefined;
  #ready: Promise<unknown> = new Promise<void>(resolve => {
    this.#started = resolve;
  });

  constructor(folders: readonly Folder[], parts: WorkspaceParts) {
    this.#parts = parts;
    for (const folder of folders) {
      this.#add(folder);
    }
  }

  /** In the client's order. */
  get folders(): readonly FolderIndex[] {
    return [...this.#folders.values()];
  }

  /** Resolves when the settings that hold now are known; the files may still be on their way. Pending before `start`. */
  async ready(): Promise<void> {
    await this.#ready;
  }

  /** Loads settings and files. To be called once, as soon as the client may be asked. */
  async start(): Promise<void> {
    const loaded = this.reload();
    this.#started();
    await loaded;
  }

  /** Takes settings and project files as they are now. Resolves before the files are read again. */
  async reload(): Promise<void> {
    const run = ++this.#reloads;
    const isLast = (): boolean => run === this.#reloads;
    const loaded = Promise.all([
      this.#loadLoose(isLast),
      ...this.folders.map(async folder => this.#load(folder, isLast)),
    ]);
    this.#ready = loaded;
    await loaded;
    this.#parts.changed();
  }

  async changeFolders({ added, removed }: WorkspaceFoldersChangeEvent): Promise<void> {
    for (const { uri } of removed) {
      this.#folders.get(uriKey(uri))?.dispose();
      this.#folders.delete(uriKey(uri));
    }
    for (const folder of added) {
      this.#add(toFolder(folder));
    }
    await this.reload();
  }

  opened(document: OpenDocument): void {
    for (const { folder, path } of this.#places(document.uri)) {
      folder.track(path, document);
    }
  }

  /** Resolves when the file on disk counts again. */
  async closed(uri: string): Promise<void> {
    await Promise.all(this.#places(uri).map(async ({ folder, path }) => folder.untrack(path)));
  }

  /** Reads files that are not open again, to be sure of what they hold now. */
  async reread(uris: readonly string[]): Promise<void> {
    await Promise.all(
      this.folders.map(async folder => {
        const paths = uris.map(uri => pathInFolder(folder, uri));
        await folder.reread(paths.filter(path => path !== undefined));
      }),
    );
  }

  /** What an open document is checked against now. */
  contextOf(document: OpenDocument): DocumentContext {
    const folder = folderOf(this.#folders.values(), document.uri);
    const path = folder && pathInFolder(folder, document.uri);
    if (!folder || path === undefined) {
      return this.#looseContext(document);
    }
    const known = folder.knownPath(path);
    return {
      uri: known === path ? document.uri : uriInFolder(folder, known),
      path: known,
      project: folder.project,
      rules: folder.complete ? folder.setup.rules : folder.setup.partialRules,
      noted: folder.encodingOf(known),
    };
  }

  /** A document in no folder is a project of its own, and nobody knows which other sources its agent loads. */
  #looseContext(document: OpenDocument): DocumentContext {
    const { uri } = document;
    const path = fileName(uri);
    const { rules, partialRules } = this.#looseSetup;
    const before = this.#loose.get(document);
    const source = before?.source ?? new OpenSource(path, document);
    const { summary } = source;
    const same = before?.summary === summary && before.rules === rules;
    const project = same ? before.project : buildProject([summary], rules);
    this.#loose.set(document, { source, summary, rules, project });
    return { uri, path, project, rules: partialRules, noted: [] };
  }

  /** Every folder that holds the file, the inner ones of nested folders as well as the outer ones. */
  #places(uri: string): readonly { readonly folder: FolderIndex; readonly path: string }[] {
    return this.folders.flatMap(folder => {
      const path = pathInFolder(folder, uri);
      return path === undefined ? [] : [{ folder, path }];
    });
  }

  #add(folder: Folder): void {
    const { files, log, changed, documents } = this.#parts;
    const index = new FolderIndex(folder, files, documents, log, changed);
    this.#folders.get(uriKey(folder.uri))?.dispose();
    this.#folders.set(uriKey(folder.uri), index);
    for (const document of documents.all()) {
      const path = pathInFolder(folder, document.uri);
      if (path !== undefined) {
        index.track(path, document);
      }
    }
  }

  /** A client may answer an older question last: its answer counts no more. */
  async #loadLoose(isLast: () => boolean): Promise<void> {
    const { settings, files, log } = this.#parts;
    const setup = await loadSetup(undefined, settings, files, log);
    if (isLast()) {
      this.#looseSetup = setup;
    }
  }

  async #load(folder: FolderIndex, isLast: () => boolean): Promise<void> {
    const { settings, files, log } = this.#parts;
    const setup: Setup = await loadSetup(folder, settings, files, log);
    if (isLast() && (!folder.complete || JSON.stringify(setup) !== JSON.stringify(folder.setup))) {
      void folder.use(setup);
    }
  }
}

/** The project of one document, kept as long as it would come out the same. */
interface LooseProject {
  readonly source: OpenSource;
  readonly summary: SourceSummary;
  readonly rules: Rules;
  readonly project: Project;
}
