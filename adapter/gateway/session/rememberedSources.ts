import { basename } from 'node:path';
import type { LifecycleState } from '../../../protocol/lifecycle/lifecycleState.ts';
import type { WantedSource } from './sessionSources.ts';
import type { SourceFiles } from './sourceFiles.ts';

/** Requests after which a file that agents show by themselves should have been shown by one that goes on. */
const SHOWN_LATER = 2;

/**
 * Context files that a session's own log names: trust was given to them in this very session. When it goes on they are read again,
 * whether or not anybody names them this time, so that its first request needs no hook.
 */
export class RememberedSources {
  /** By real path: the name that a file has in the session. */
  readonly #names = new Map<string, string>();
  readonly #shows: (path: string) => boolean;
  readonly #files: SourceFiles;

  /** `state` is that of the log when the session was opened; `shows` says which files the agent shows by itself. */
  constructor(state: LifecycleState, files: SourceFiles, shows: (path: string) => boolean) {
    this.#files = files;
    this.#shows = shows;
    for (const { loaded } of state.sources.values()) {
      const real = files.realPath(loaded.source);
      if (loaded.class === 'context-file' && !this.#names.has(real)) {
        this.#names.set(real, loaded.source);
      }
    }
  }

  /** What is wanted now, under the names that the session has for it, and behind it what it had loaded before. */
  with(wanted: readonly WantedSource[]): readonly WantedSource[] {
    const named = wanted.map(source => {
      const known = this.#names.get(this.#files.realPath(source.path));
      return known === undefined || known === source.path
        ? source
        : { ...source, path: known, names: new Set([...source.names, known]) };
    });
    const paths = new Set(named.map(({ path }) => path));
    const others = [...this.#names].filter(([, path]) => !paths.has(path));
    return [
      ...named,
      ...others.map(([real, path]) => ({
        path,
        names: new Set([real, path]),
        required: false,
        ...(this.#shows(basename(path)) && { shownWithin: SHOWN_LATER }),
      })),
    ];
  }
}
