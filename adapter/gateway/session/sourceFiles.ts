import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Source } from '../../sessionTypes.ts';
import { sourceText } from '../../sourceText.ts';

/** A context file as it was when it was last read. */
export interface SourceFile {
  /** The whole path: its name in the session. */
  readonly path: string;
  readonly text: string;
}

/** A file that could not be read, for a person. */
export interface SourceFault {
  readonly path: string;
  readonly sentence: string;
}

interface Known {
  readonly stamp: string;
  readonly file: SourceFile | SourceFault;
}

/** So many files, and UTF-16 code units of them, are kept; what is beyond that is read again. */
const MOST_FILES = 512;
const MOST_CHARACTERS = 32_000_000;

/** Reads context files, each again only when its time or size changed. What is no ordinary file is a fault. */
export class SourceFiles {
  readonly #cwd: string;
  readonly #known = new Map<string, Known>();
  #characters = 0;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  wholePath(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#cwd, path);
  }

  /** The path without links; the path itself where it leads nowhere. */
  realPath(path: string): string {
    try {
      return realpathSync.native(path);
    } catch {
      return path;
    }
  }

  /** The same object while the file stays as it is. */
  read(path: string): SourceFile | SourceFault {
    const stamp = stampOf(path);
    const known = this.#known.get(path);
    if (known?.stamp === stamp) {
      return known.file;
    }
    const file = readFile(path);
    this.#forget(path);
    this.#known.set(path, { stamp, file });
    this.#characters += lengthOf(file);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_FILES && this.#characters <= MOST_CHARACTERS) {
        break;
      }
      this.#forget(oldest);
    }
    return file;
  }

  #forget(path: string): void {
    const known = this.#known.get(path);
    if (known) {
      this.#known.delete(path);
      this.#characters -= lengthOf(known.file);
    }
  }
}

export function isFault(file: SourceFile | SourceFault): file is SourceFault {
  return 'sentence' in file;
}

function lengthOf(file: SourceFile | SourceFault): number {
  return isFault(file) ? 0 : file.text.length;
}

/** What a session loads of a file: it was named by a person, or by the agent that loaded it as instructions. */
export function contextFile({ path, text }: SourceFile): Source {
  return { source: path, class: 'context-file', text };
}

/** Differs when the file may have changed. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch {
    return 'missing';
  }
}

function readFile(path: string): SourceFile | SourceFault {
  try {
    return { path, text: sourceText(path) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { path, sentence: `The context file ${path} was not loaded: ${said}` };
  }
}
