import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PROJECT_FILES } from '../../adapter/demo/demoFiles.ts';
import { listAnnouncements } from '../../local/announcements.ts';
import { folders } from '../../local/folders.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { type ProcessGroup, startGroup } from '../host/processGroup.ts';

/** Starts a session with a scripted model in a folder of the workspace, as a person would in a terminal. */
export function startWorkspaceAgent(workspace: string, folder = 'service'): ProcessGroup {
  const cwd = join(workspace, folder);
  for (const [file, text] of Object.entries(PROJECT_FILES)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const args = [inRepository('dist/cli.js'), 'demo', '--keep-open', '--pace', '20'];
  return startGroup(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Waits until a session announces itself where this process looks for sessions. */
export async function untilAnnounced(): Promise<void> {
  await until('an announcement', () => folders().runFolders.some(folder => listAnnouncements(folder).found.length > 0));
}

/** Waits for something that nobody announces. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`${what} did not come in time.`);
    await setTimeout(100);
  }
}
