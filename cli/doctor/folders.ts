import { statSync } from 'node:fs';
import type { Folders } from '../../local/folders.ts';
import { checkPrivateFolder, WINDOWS_NOTE } from '../../local/privateFolder.ts';
import { reasonOf } from '../failure.ts';
import { type Finding, note, ok, problem, type Section } from './finding.ts';

/** Whether the folders are ours alone. */
export function foldersSection({ run, runFolders, sessions, notices }: Folders): Section {
  const others = runFolders.filter(folder => folder !== run);
  return {
    title: 'Folders',
    findings: [
      folderFinding(run, 'running sessions'),
      ...others.map(folder => folderFinding(folder, 'running sessions that were started in another environment')),
      folderFinding(sessions, 'session logs'),
      ...notices.map(notice => note(notice)),
      ...(process.platform === 'win32' ? [note(WINDOWS_NOTE)] : []),
    ],
  };
}

function folderFinding(folder: string, use: string): Finding {
  try {
    checkPrivateFolder(folder);
    const mode = (statSync(folder).mode & 0o777).toString(8).padStart(3, '0');
    return ok(`${folder} (${use}): private${process.platform === 'win32' ? '' : `, mode ${mode}`}`);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? note(`${folder} (${use}): not there; it is made when it is needed`)
      : problem(reasonOf(error, folder));
  }
}
