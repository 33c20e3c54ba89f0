import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceText } from '../../adapter/sourceText.ts';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import type { Failure } from '../failure.ts';
import { EMPTY_NAME, reasonOf } from '../failure.ts';
import { amount } from '../words.ts';

/** What agents load as instructions by themselves. */
const USUAL_FILES = ['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'];

/** Whole paths of the named context files, in order and each once, and what could not be read. */
export function namedSources(
  named: readonly string[],
  cwd: string,
): { readonly paths: readonly string[]; readonly failures: readonly Failure[] } {
  const paths = new Set<string>();
  const failures: Failure[] = [];
  for (const name of named) {
    const path = resolve(cwd, name);
    try {
      if (name === '') {
        failures.push(EMPTY_NAME);
      } else {
        sourceText(path);
        paths.add(path);
      }
    } catch (error) {
      failures.push({ path: name, reason: reasonOf(error) });
    }
  }
  return { paths: [...paths], failures };
}

/**
 * A sentence for each context file of the folder that declares blocks and is not named. Nothing is loaded unless somebody named it:
 * that a file lies in a folder says nothing of whether a person trusts it.
 */
export function unnamedFiles(cwd: string, named: readonly string[]): readonly string[] {
  const known = new Set(named.map(realPath));
  return USUAL_FILES.flatMap(name => {
    const path = realPath(join(cwd, name));
    const count = known.has(path) ? 0 : blocksIn(path);
    known.add(path);
    return count === 0
      ? []
      : `${name} declares ${amount(count, 'block')}, but it was not named, so it does not count. To load it: --source ${name}`;
  });
}

function blocksIn(path: string): number {
  try {
    return parseDocument(sourceText(path)).blocks.length;
  } catch {
    return 0;
  }
}

/** The path itself where it leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
