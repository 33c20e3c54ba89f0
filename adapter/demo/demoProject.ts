import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensurePrivateFolder } from '../../local/privateFolder.ts';
import { sourceBytes } from '../sourceText.ts';
import { PROJECT_FILES, type ProjectFile, USER_FILE } from './demoFiles.ts';

/** The files that the demo's agent works with. */
export interface DemoProject {
  /** Its working folder. */
  readonly folder: string;
  /** Path of what the person keeps for all projects. */
  readonly userFile: string;
  readUserFile(): string;
  /** Path of one of its files. */
  path(file: ProjectFile): string;
  /** Its text, as it is on disk now. */
  read(file: ProjectFile): string;
}

/**
 * The sample where the demo is started in it, else a copy of the files that it needs in a private folder of ours, so that what
 * a log says of lines can be looked at afterwards. Throws `UnsafeFolderError` and the system's errors.
 */
export function demoProject(cwd: string, demoFolder: string): DemoProject {
  ensurePrivateFolder(demoFolder);
  const userFile = join(demoFolder, 'you', 'AGENTS.md');
  write(userFile, USER_FILE);
  const project = join(demoFolder, 'to-do-service');
  const folder = isSample(cwd) ? cwd : project;
  if (folder === project) {
    for (const [file, text] of Object.entries(PROJECT_FILES)) {
      write(join(project, file), text);
    }
  }
  const path = (file: ProjectFile): string => join(folder, file);
  return {
    folder,
    userFile,
    readUserFile: () => sourceBytes(userFile).toString(),
    path,
    read: file => sourceBytes(path(file)).toString(),
  };
}

function isSample(folder: string): boolean {
  return Object.entries(PROJECT_FILES).every(([file, text]) => {
    try {
      return sourceBytes(join(folder, file)).toString() === text;
    } catch {
      return false;
    }
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}
