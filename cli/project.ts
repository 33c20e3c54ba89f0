import { dirname, join, relative, sep } from 'node:path';
import { renderMessage } from '../protocol/lifecycle/text.ts';
import { decodeBytes } from '../server/check/decodeBytes.ts';
import { PROJECT_FILE, parseProjectFile } from '../server/check/projectFile.ts';
import { combineRules } from '../server/check/rules.ts';
import { reasonOf } from './failure.ts';
import { repositoryOf } from './gitIgnore.ts';
import { ProjectFolder } from './projectFolder.ts';
import { readRegularFile } from './regularFile.ts';

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
      const { rules, problems } = parseProjectFile(decodeBytes(readRegularFile(file)).text);
      const failures = problems.map(problem => ({ path: shown, reason: renderMessage(problem) }));
      return new ProjectFolder(root, combineRules(rules), failures);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        return new ProjectFolder(root, combineRules(), [{ path: shown, reason: reasonOf(error) }]);
      }
    }
    if (root === top) {
      return new ProjectFolder(cwd, combineRules(), []);
    }
  }
}
