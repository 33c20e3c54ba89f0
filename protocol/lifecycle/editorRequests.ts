/**
 * The few messages between our own client and server that LSP has no word for. No language feature depends on them:
 * another editor may leave them all unanswered.
 */

/** client -> server: the blocks that the workspace declares, for the sidebar; answers `DeclaredBlocks`. */
export const DECLARED_BLOCKS_REQUEST = 'contextLifecycle/declaredBlocks';
/** server -> client: what `DECLARED_BLOCKS_REQUEST` would answer has changed; no parameters, coalesced. */
export const DECLARED_BLOCKS_CHANGED = 'contextLifecycle/declaredBlocksChanged';
/** server -> client, only from the browser server: files of a folder that match globs; answers URIs. */
export const FIND_FILES_REQUEST = 'contextLifecycle/findFiles';
/** server -> client, only from the browser server: one file's bytes as base64, or null when it cannot be read. */
export const READ_FILE_REQUEST = 'contextLifecycle/readFile';
/** server -> client: `ServerNoteParams`, one sentence on the server's state for the language status item. */
export const SERVER_NOTE = 'contextLifecycle/serverNote';

/** Why a declared block would not become active. */
export type DeclaredBlockState = 'valid' | 'invalid' | 'conflict';

export interface DeclaredBlock {
  readonly id: string;
  /** Opening line, from 0. */
  readonly line: number;
  /** Closing line, from 0; the opening line when the block is never closed. */
  readonly endLine: number;
  readonly state: DeclaredBlockState;
  /** One sentence for a person; absent when the block is valid. */
  readonly reason?: string;
  /** For a conflict: where the definition that wins stands. */
  readonly winner?: { readonly uri: string; readonly line: number };
}

export interface DeclaredSource {
  readonly uri: string;
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  /** Findings of the lint engine in this file. */
  readonly problemCount: number;
  readonly blocks: readonly DeclaredBlock[];
}

export interface DeclaredFolder {
  readonly uri: string;
  readonly name: string;
  /** In load order; only sources with at least one block or problem. */
  readonly sources: readonly DeclaredSource[];
}

export interface DeclaredBlocks {
  readonly folders: readonly DeclaredFolder[];
  /** False while the first scan of the workspace goes on. */
  readonly complete: boolean;
}

export interface FindFilesParams {
  readonly folder: string;
  readonly include: readonly string[];
  readonly limit: number;
}

export interface ReadFileParams {
  readonly uri: string;
  /** Larger files are answered with null. */
  readonly maxBytes: number;
}

export interface ServerNoteParams {
  /** Null clears the note. */
  readonly text: string | null;
}

/** What our own client sends as `initializationOptions`; other editors send none. */
export interface EditorOptions {
  /** Translations by English template, as VS Code's l10n bundle holds them; absent where the editor speaks English. */
  readonly l10n?: Readonly<Record<string, string>>;
  /**
   * A command of the client that lets a person rename what stands at a place; its arguments are a URI and an LSP
   * position. It runs after "Wrap Selection in Block…"; absent where the client has none.
   */
  readonly renameCommand?: string;
}
