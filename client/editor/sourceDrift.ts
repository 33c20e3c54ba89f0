import type { BlockState } from '../../protocol/lifecycle/lifecycleState.ts';
import type { Sha256 } from '../../protocol/request/hashing.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { type DocumentBlock, documentTags } from './documentTags.ts';
import { type PathStyle, sourcePath } from './sourceFile.ts';

/** Reads and watches files. */
export interface SourceFiles {
  /** Undefined for what is no file of a context source's size, or cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** Calls `changed` when the file is not what it was; gives what ends that. */
  watch(path: string, changed: () => void): { dispose(): void };
}

/** Files that are watched at a time; of others only the session knows whether they changed, when it loads them again. */
const MOST_FILES = 300;

const NOTHING: ReadonlyMap<string, DocumentBlock> = new Map();

interface WatchedFile {
  readonly watch: { dispose(): void };
  /** By ID; absent before it was read, and where it never could be. */
  blocks?: ReadonlyMap<string, DocumentBlock> | undefined;
}

/** Knows which blocks say something else on disk than what a session has loaded. Drawing asks it and never waits. */
export class SourceDrift {
  readonly #files: SourceFiles;
  readonly #style: PathStyle;
  readonly #sha256: Sha256;
  readonly #known = new Map<string, WatchedFile>();
  readonly #waiting = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #reading = false;

  constructor(files: SourceFiles, style: PathStyle, sha256: Sha256) {
    this.#files = files;
    this.#style = style;
    this.#sha256 = sha256;
  }

  /** Undefined while it is not known, and for a source that is no file which can be read here. */
  isChanged({ header: { cwd } }: PanelSession, { id, activated }: BlockState): boolean | undefined {
    const path = sourcePath(activated.source, cwd, this.#style);
    // What a session names must not make this machine call another one.
    if (path === undefined || path.startsWith('\\\\')) {
      return undefined;
    }
    const blocks = this.#watched(path)?.blocks;
    const block = blocks?.get(id);
    return blocks && !(block?.valid && block.is(activated.sha256));
  }

  /** Gives back the files of which no active block of these sessions is. */
  keepOnly(sessions: readonly Pick<PanelSession, 'header' | 'state'>[]): void {
    if (this.#known.size === 0) {
      return;
    }
    const needed = new Set<string | undefined>();
    for (const { header, state } of sessions) {
      const blocks = [...state.lifecycle.blocks.values()].filter(({ status }) => status === 'active');
      for (const source of new Set(blocks.map(({ activated }) => activated.source))) {
        needed.add(sourcePath(source, header.cwd, this.#style));
      }
    }
    for (const [path, { watch }] of this.#known) {
      if (!needed.has(path)) {
        watch.dispose();
        this.#known.delete(path);
        this.#waiting.delete(path);
      }
    }
  }

  /** The listener is called when more is known; gives what ends it. */
  onMore(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  dispose(): void {
    for (const { watch } of this.#known.values()) {
      watch.dispose();
    }
    this.#known.clear();
    this.#waiting.clear();
    this.#listeners.clear();
  }

  #watched(path: string): WatchedFile | undefined {
    const known = this.#known.get(path);
    if (known || this.#known.size === MOST_FILES) {
      return known;
    }
    const file: WatchedFile = { watch: this.#files.watch(path, () => this.#read(path)) };
    this.#known.set(path, file);
    this.#read(path);
    return file;
  }

  #read(path: string): void {
    this.#waiting.add(path);
    void this.#readAll();
  }

  /** One at a time; what changes while it is read is read again. */
  async #readAll(): Promise<void> {
    if (this.#reading) {
      return;
    }
    this.#reading = true;
    for (const path of this.#waiting) {
      this.#waiting.delete(path);
      const text = await this.#files.read(path);
      const file = this.#known.get(path);
      if (file) {
        // What was there and is not any more says something else; what was never there may lie on another machine.
        file.blocks = text === undefined ? file.blocks && NOTHING : this.#blocksOf(text);
        for (const listener of this.#listeners) {
          listener();
        }
      }
    }
    this.#reading = false;
  }

  #blocksOf(text: string): ReadonlyMap<string, DocumentBlock> {
    return new Map(documentTags(text, this.#sha256).blocks.map(block => [block.id, block]));
  }
}
