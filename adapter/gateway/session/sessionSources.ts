import { basename, posix } from 'node:path';
import { agentProfile } from '../../../protocol/lifecycle/agentProfiles.ts';
import type { AgentSession } from '../../agentSession.ts';
import { sourceSentences } from '../../agents/sessionSummary.ts';
import type { HostCopies } from './hostCopies.ts';
import { contextFile, isFault, type SourceFile, type SourceFiles } from './sourceFiles.ts';

/** A file that a session is to load. */
export interface WantedSource {
  /** Its name in the session. */
  readonly path: string;
  /** All paths by which a host may call it. */
  readonly names: ReadonlySet<string>;
  /**
   * After how many requests the host's own copy of it should have been seen; absent where nobody says that the host shows the
   * file at all.
   */
  readonly shownWithin?: number;
  /** Without it there is no request: a person has named it. */
  readonly required: boolean;
}

/** A file that a person named cannot be read, so nobody knows which blocks are active. */
class ContextFileError extends Error {
  override readonly name = 'ContextFileError';
}

/** UTF-16 code units of all files of a session: no model reads more. */
const MOST_CHARACTERS = 32_000_000;

interface Loaded {
  file: SourceFile;
  wanted: WantedSource;
  /** Requests since it was loaded. */
  requests: number;
}

/** Whether this agent is known to show such a file to the model by itself, in whatever folder it finds it. */
export function isShownBy(agent: string, path: string): boolean {
  return agentProfile(agent)?.files.some(file => posix.basename(file) === basename(path)) === true;
}

export interface SessionSourcesOptions {
  readonly session: AgentSession;
  readonly copies: HostCopies;
  readonly files: SourceFiles;
  readonly tell: (sentence: string) => void;
  /** Whether it is a sub-agent's: those are not shown everything that their parents are. */
  readonly isChild: boolean;
}

/** The context files of one session, and what its host shows of them. */
export class SessionSources {
  readonly #session: AgentSession;
  readonly #copies: HostCopies;
  readonly #files: SourceFiles;
  readonly #tell: (sentence: string) => void;
  readonly #loaded = new Map<string, Loaded>();
  /** Files that were loaded before the session went on, and could not be read since. */
  readonly #gone = new Set<string>();
  readonly #told = new Set<string>();
  readonly #isChild: boolean;
  #characters = 0;

  constructor({ session, copies, files, tell, isChild }: SessionSourcesOptions) {
    this.#session = session;
    this.#copies = copies;
    this.#files = files;
    this.#tell = tell;
    this.#isChild = isChild;
  }

  /**
   * Loads what is new, and with `again` what has changed since. Throws `ContextFileError` where a file that a person named cannot
   * be read.
   */
  load(wanted: readonly WantedSource[], again: boolean): void {
    for (const source of wanted) {
      const known = this.#loaded.get(source.path);
      if (known && known.wanted.names.size !== source.names.size) {
        this.#copies.know(known.file, source.names);
      }
      if (known) {
        known.wanted = source;
      }
      if (!known || again) {
        this.#loadOne(source, known);
      }
    }
  }

  /** A request with these sources is on its way: says once of each source what cannot be cut out of the host's copy. */
  requested(): void {
    for (const loaded of this.#loaded.values()) {
      loaded.requests++;
    }
    const untold = [...this.#loaded.keys(), ...this.#gone].filter(path => !this.#told.has(path));
    for (const { path, shows, isNamed } of this.#copies.uncut(untold)) {
      if (shows === 'a part' || isNamed || this.#isDue(path)) {
        this.#told.add(path);
        this.#session.problem('observe-only', observeOnly(path, shows), path);
      }
    }
  }

  /** Whether the host's copy should have been seen by now. */
  #isDue(path: string): boolean {
    const { wanted, requests = 0 } = this.#loaded.get(path) ?? {};
    return wanted?.shownWithin !== undefined && requests >= wanted.shownWithin && !this.#isChild;
  }

  #loadOne(wanted: WantedSource, known: Loaded | undefined): void {
    const file = this.#files.read(wanted.path);
    if (!known) {
      this.#knowBlocks(wanted, isFault(file) ? '' : file.text);
    }
    if (isFault(file)) {
      this.#unreadable(wanted, known, file.sentence);
      return;
    }
    if (known?.file === file) {
      return;
    }
    const characters = this.#characters - (known?.file.text.length ?? 0) + file.text.length;
    if (characters > MOST_CHARACTERS) {
      const reason = 'the context files of this session are too large together.';
      this.#unreadable(wanted, known, `The context file ${wanted.path} was not loaded: ${reason}`);
      return;
    }
    this.#characters = characters;
    if (known) {
      known.file = file;
    } else {
      this.#loaded.set(wanted.path, { file, wanted, requests: 0 });
      this.#gone.delete(wanted.path);
    }
    const source = contextFile(file);
    const outcomes = this.#session.loadSource(source);
    this.#copies.know(file, wanted.names);
    for (const sentence of sourceSentences(source, outcomes, this.#session.state)) {
      this.#tellOnce(sentence);
    }
  }

  /** Of what an earlier start has loaded, the blocks that stand in the file no more: the agent may go on to show them. */
  #knowBlocks({ path, names }: WantedSource, text: string): void {
    if (!this.#gone.has(path)) {
      for (const block of this.#session.blockTextsOf(path).filter(one => !text.includes(one))) {
        this.#gone.add(path);
        this.#copies.knowBlock({ path, text: block }, names);
      }
    }
  }

  /** What was loaded stays as it is. */
  #unreadable({ path, required }: WantedSource, known: Loaded | undefined, sentence: string): void {
    if (required && !known) {
      throw new ContextFileError(sentence);
    }
    if (!this.#told.has(sentence)) {
      this.#session.problem('source-unreadable', sentence, path);
    }
    this.#tellOnce(sentence);
  }

  #tellOnce(sentence: string): void {
    if (!this.#told.has(sentence)) {
      this.#told.add(sentence);
      this.#tell(sentence);
    }
  }
}

function observeOnly(path: string, shows: 'nothing' | 'a part'): string {
  const seen =
    shows === 'nothing'
      ? `The agent's own copy of ${path} was not found in its requests`
      : `Only a part of ${path} was found in the agent's own copy of it`;
  return `${seen}, so its blocks may stand there too: what is discarded may still reach the model.`;
}
