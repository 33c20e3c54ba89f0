import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { renderMessage } from '../protocol/lifecycle/text.ts';
import { PROJECT_FILE, parseProjectFile } from '../server/check/projectFile.ts';
import { combineRules, type Rules } from '../server/check/rules.ts';
import { type Failure, reasonOf } from './failure.ts';
import { repositoryOf } from './gitIgnore.ts';

/** The folder whose globs and load order count, and its rules. */
export interface ProjectFolder {
  readonly root: string;
  readonly rules: Rules;
  readonly failures: readonly Failure[];
}

/**
 * The project of a working folder: the nearest folder with a project file, up to the top of the repository; without
 * such a file, or outside a repository, the working folder itself. What is wrong in the file is a failure; the rest of
 * it counts.
 */
export function projectOf(cwd: string): ProjectFolder {
  const top = repositoryOf(cwd) ?? cwd;
  for (let root = cwd; ; root = dirname(root)) {
    const file = join(root, PROJECT_FILE);
    const shown = relative(cwd, file).split(sep).join('/');
    try {
      const { rules, problems } = parseProjectFile(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
      const failures = problems.map(problem => ({ path: shown, reason: renderMessage(problem) }));
      return { root, rules: combineRules(rules), failures };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        return { root, rules: combineRules(), failures: [{ path: shown, reason: reasonOf(error) }] };
      }
    }
    if (root === top) {
      return { root: cwd, rules: combineRules(), failures: [] };
    }
  }
}
