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

/** So many files are kept; a session that has more reads them again. */
const MOST_FILES = 512;

/** Reads context files, each again only when its time or size changed. What is no ordinary file is a fault. */
export class SourceFiles {
  readonly #cwd: string;
  readonly #known = new Map<string, Known>();

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
    this.#known.delete(path);
    this.#known.set(path, { stamp, file });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_FILES && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    return file;
  }
}

export function isFault(file: SourceFile | SourceFault): file is SourceFault {
  return 'sentence' in file;
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
