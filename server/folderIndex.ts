import { CancellationTokenSource } from 'vscode-languageserver';
import { buildProject } from './check/buildProject.ts';
import type { UnratedFinding } from './check/finding.ts';
import { anyPathMatcher } from './check/globs.ts';
import type { Project, SourceSummary } from './check/project.ts';
import { sourceMatcher } from './check/sources.ts';
import type { OpenDocument } from './document.ts';
import { type FileSystem, type FoundFiles, SkipLog } from './fileSystem.ts';
import { type Folder, fileName, isAtOrBelow } from './folders.ts';
import type { Log } from './log.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { OpenSource, sameSummaries, sameSummary } from './openSource.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';
import { type ReadSource, readSource, summaryOf } from './sourceReader.ts';
import { TimeSlices } from './timeSlices.ts';

const NOTHING_NOTED: readonly UnratedFinding[] = [];

/** How many files are read at the same time. */
const PARALLEL = 16;

/**
 * The context sources of one workspace folder: what is on disk, with what is open in the editor laid over it. Paths are
 * relative to the folder, with `/`.
 */
export class FolderIndex implements Folder {
  readonly uri: string;
  readonly name: string;
  readonly #files: FileSystem;
  readonly #log: Log;
  readonly #documents: Pick<OpenDocuments, 'revision'>;
  readonly #changed: () => void;
  readonly #slices = new TimeSlices();
  #setup = DEFAULT_SETUP;
  #found: FoundFiles = { paths: [], truncated: false, aliases: new Map() };
  #onDisk = new Map<string, SourceSummary>();
  /** What the bytes of files on disk show and an editor's text does not. */
  readonly #encodings = new Map<string, readonly UnratedFinding[]>();
  readonly #open = new Map<string, OpenSource>();
  #project: Project | undefined;
  #openInProject: ReadonlyMap<string, SourceSummary> = new Map();
  /** The revision of the open documents that `#project` was last compared with. */
  #compared = -1;
  #complete = false;
  #disposed = false;
  #scan = new CancellationTokenSource();
  /** Scans and re-reads follow one another, so that an older answer never replaces a newer one. */
  #work: Promise<void> = Promise.resolve();

  /** `changed` is called when the files on disk, or what is read of them, have changed. `track` takes `documents` only. */
  constructor(
    { uri, name }: Folder,
    files: FileSystem,
    documents: Pick<OpenDocuments, 'revision'>,
    log: Log,
    changed: () => void,
  ) {
    this.uri = uri;
    this.name = name === '' ? fileName(uri) : name;
    this.#files = files;
    this.#documents = documents;
    this.#log = log;
    this.#changed = changed;
  }

  get setup(): Setup {
    return this.#setup;
  }

  /** False until every context source has been read once. */
  get complete(): boolean {
    return this.#complete;
  }

  /** How many context sources were read where there are more; undefined where all were. */
  get truncatedAt(): number | undefined {
    return this.#found.truncated ? this.#found.paths.length : undefined;
  }

  get project(): Project {
    const { revision } = this.#documents;
    if (this.#project && this.#compared === revision) {
      return this.#project;
    }
    this.#compared = revision;
    const open = new Map<string, SourceSummary>();
    for (const [path, source] of this.#open) {
      if (this.#counts(path)) {
        open.set(path, source.summary);
      }
    }
    if (!this.#project || !sameSummaries(open, this.#openInProject)) {
      this.#project = buildProject([...new Map([...this.#onDisk, ...open]).values()], this.#setup.rules);
      this.#openInProject = open;
    }
    return this.#project;
  }

  /** The path by which a file is known here: its own, or that of the file that a symbolic link leads to. */
  knownPath(path: string): string {
    return this.#found.aliases.get(path) ?? path;
  }

  /** What an editor does not show of a file's encoding (editor-bugs 8); of a file that was read, empty for most. */
  encodingOf(path: string): readonly UnratedFinding[] {
    return this.#encodings.get(path) ?? NOTHING_NOTED;
  }

  /** Takes new settings over and searches the folder again where they change what is found. */
  async use(setup: Setup): Promise<void> {
    this.#setup = setup;
    this.#project = undefined;
    await this.scan();
  }

  /** Searches and reads everything anew; a scan that is under way gives up. */
  async scan(): Promise<void> {
    if (this.#disposed) {
      return;
    }
    this.#scan.cancel();
    this.#scan = new CancellationTokenSource();
    const { token } = this.#scan;
    await this.#afterwards(async () => {
      const skipped = new SkipLog();
      const found = await this.#search(skipped, token);
      const read = await this.#read(found.paths, skipped, token);
      if (!token.isCancellationRequested) {
        this.#found = found;
        this.#onDisk = read;
        this.#complete = true;
        this.#settle(skipped);
      }
    });
  }

  /** Reads files again that were created or changed, or are closed; those that are no context source are left alone. */
  async reread(paths: readonly string[]): Promise<void> {
    const wanted = paths.filter(path => this.#counts(path));
    if (wanted.length === 0) {
      return;
    }
    const { token } = this.#scan;
    await this.#afterwards(async () => {
      const skipped = new SkipLog();
      const read = await this.#read(wanted, skipped, token);
      if (token.isCancellationRequested) {
        // A newer scan reads them all.
        return;
      }
      const changed = wanted.filter(path => this.#replace(path, read.get(path)));
      if (changed.length > 0) {
        this.#settle(skipped);
      }
    });
  }

  /**
   * Whether a symbolic link to a context source came or went with these files, or a file took a link's name. Then only
   * a new search tells which names lead to one file.
   */
  async changesLinks(present: readonly string[], gone: readonly string[]): Promise<boolean> {
    const { aliases } = this.#found;
    const targets = new Set(aliases.values());
    if ([...present, ...gone].some(path => aliases.has(path)) || gone.some(path => targets.has(path))) {
      return true;
    }
    for (const path of present) {
      if (this.#matches(path) && (await this.#files.isLink(this, path))) {
        return true;
      }
    }
    return false;
  }

  /** Forgets deleted files, and all files below a deleted folder. */
  async remove(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) {
      return;
    }
    const removed = new Set(paths);
    await this.#afterwards(async () => {
      const gone = [...this.#onDisk.keys()].filter(known => isAtOrBelow(known, removed));
      for (const path of gone) {
        this.#onDisk.delete(path);
      }
      if (gone.length > 0) {
        this.#settle(new SkipLog());
      }
    });
  }

  /** From now on the open document counts instead of the file. */
  track(path: string, document: OpenDocument): void {
    this.#open.set(path, new OpenSource(path, document));
  }

  /** From now on the file counts again. */
  async untrack(path: string): Promise<void> {
    this.#open.delete(path);
    if (this.#counts(path)) {
      await this.reread([path]);
      this.#changed();
    }
  }

  /** Ends all work for good: what is under way gives up, and nothing new begins. */
  dispose(): void {
    this.#disposed = true;
    this.#scan.cancel();
  }

  /** Takes over what was read of a file, undefined when it is no more; true when that makes a difference. */
  #replace(path: string, summary: SourceSummary | undefined): boolean {
    const before = this.#onDisk.get(path);
    if (!summary) {
      return this.#onDisk.delete(path);
    }
    if (!before && this.#onDisk.size >= this.#setup.settings.maxFiles) {
      return false;
    }
    this.#onDisk.set(path, summary);
    return !before || !sameSummary(before, summary);
  }

  #noteEncoding({ path, noted }: ReadSource): void {
    if (noted.length > 0) {
      this.#encodings.set(path, noted);
    } else {
      this.#encodings.delete(path);
    }
  }

  /** Whether a file is a context source under this path. */
  #counts(path: string): boolean {
    return this.#matches(path) && !this.#found.aliases.has(path);
  }

  #matches(path: string): boolean {
    const { sources, exclude } = this.#setup.rules;
    return sourceMatcher(sources).order(path) !== undefined && !anyPathMatcher(exclude)(path);
  }

  async #search(skipped: SkipLog, token: CancellationTokenSource['token']): Promise<FoundFiles> {
    const { rules, settings } = this.#setup;
    const search = {
      include: rules.sources,
      matches: (path: string) => this.#matches(path),
      limit: settings.maxFiles,
    };
    try {
      return await this.#files.find(this, search, skipped, token);
    } catch (error) {
      this.#log.warn(`The folder ${this.name} cannot be searched, so only open files are known: ${String(error)}`);
      return { paths: [], truncated: false, aliases: new Map() };
    }
  }

  async #read(
    paths: readonly string[],
    skipped: SkipLog,
    token: CancellationTokenSource['token'],
  ): Promise<Map<string, SourceSummary>> {
    const read = new Map<string, SourceSummary>();
    const rest = paths.values();
    const reader = async (): Promise<void> => {
      for (const path of rest) {
        if (token.isCancellationRequested) {
          return;
        }
        const source = await readSource(this.#files, this, path, this.#slices, skipped);
        if (source) {
          read.set(path, summaryOf(source, this.#setup));
          this.#noteEncoding(source);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, reader));
    return read;
  }

  async #afterwards(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#log.error(`Reading the folder ${this.name} failed: ${String(error)}`);
    });
    await this.#work;
  }

  #settle(skipped: SkipLog): void {
    for (const line of skipped.lines()) {
      this.#log.info(`${this.name}: ${line}`);
    }
    this.#project = undefined;
    this.#changed();
  }
}
