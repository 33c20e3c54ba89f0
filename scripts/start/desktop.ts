import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../../test/host/cleanUp.ts';
import { makeProfile, type Profile, writeSettings } from '../../test/host/profile.ts';
import { repository } from '../build/paths.ts';
import { startSettings } from './settings.ts';
import { makeSidebarOpener } from './sidebarOpener.ts';

/**
 * Desktop VS Code's command line, where `code` is on PATH; absent else. In a terminal of a remote VS Code, `code` only
 * talks to the window that is open already and knows no profile of its own, so it is not used.
 */
export function findDesktop(): string | undefined {
  if (process.env['VSCODE_IPC_HOOK_CLI']) return undefined;
  const { status } = spawnSync('code', ['--version'], { shell: process.platform === 'win32' });
  return status === 0 ? 'code' : undefined;
}

/** Opens a folder in a desktop VS Code with a profile of its own; returns when its window is closed. */
export async function openDesktop(code: string, folder: string): Promise<number> {
  const profile = makeProfile();
  writeSettings(profile, startSettings);
  const args = [
    ...['--new-window', '--wait', '--skip-welcome', '--skip-release-notes', '--disable-workspace-trust'],
    ...['--user-data-dir', profile.userData, '--extensions-dir', profile.extensions],
    `--extensionDevelopmentPath=${repository}`,
    `--extensionDevelopmentPath=${makeSidebarOpener()}`,
    folder,
  ];
  console.log('VS Code opens with the extension. Close its window or press Ctrl-C to stop.');
  // there `code` is a batch file, which only a shell starts, and a shell takes words apart
  const shell = process.platform === 'win32';
  const child = spawn(code, shell ? args.map(word => `"${word}"`) : args, { stdio: 'inherit', shell });
  atEnd(() => endWindow(profile));
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new Error(`VS Code could not be started: ${error.message}`)));
    child.once('exit', exitCode => resolve(exitCode ?? 1));
  });
}

/** `code` starts VS Code apart from itself; a VS Code writes its process id into its profile. */
function endWindow(profile: Profile): void {
  try {
    const id = Number(readFileSync(join(profile.userData, 'code.lock'), 'utf8'));
    // 0, as of an empty file, would mean ourselves
    if (id > 0) process.kill(id, 'SIGTERM');
  } catch {
    // its window is closed already
  }
}
