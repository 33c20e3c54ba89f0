import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { foundDocuments } from '../../adapter/budget/takeOver.ts';
import { sha256 } from '../../adapter/hashing.ts';
import { folders } from '../../local/folders.ts';
import { cancelPendingHandoffs, putPendingHandoff } from '../../local/pendingHandoff.ts';
import { readUserConfig } from '../../local/userConfig.ts';
import { readHandoff } from '../../protocol/budget/handoff/handoffFile.ts';
import { resumeHandoff } from '../../protocol/budget/handoff/resumeHandoff.ts';
import { EMPTY_LIFECYCLE } from '../../protocol/lifecycle/reduceLifecycle.ts';
import { complain, EXIT } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { printable } from '../printable.ts';
import { readRegularFile } from '../regularFile.ts';
import { outputStyle } from '../style.ts';
import { resumeText } from './resumeText.ts';

export interface ResumeFlags {
  readonly agent?: string;
  readonly cwd?: string;
  readonly dryRun?: boolean;
}

/**
 * Says what a new session takes over from a file, and lets the next one in a folder go on from it. Gives the exit code; throws
 * `HandoffError`, and with a sentence where the file, the folder or what waits there cannot be used.
 */
export function resumeSession(path: string, { agent, cwd, dryRun = false }: ResumeFlags): number {
  const text = textOf(path);
  const file = readHandoff(text);
  const folder = folderOf(cwd);
  const place = folders();
  if (!dryRun && !isLayerOn(place.configFile)) {
    return EXIT.unreadable;
  }
  const plan = resumeHandoff({
    file,
    fileSha256: sha256(text),
    lifecycle: EMPTY_LIFECYCLE,
    found: foundDocuments(file, folder),
    requestSequence: 1,
    sha256,
  });
  process.stdout.write(resumeText(file, plan, outputStyle()));
  if (dryRun) {
    process.stdout.write('\nNo session goes on from it: this was a dry run.\n');
  } else {
    const waiting = { folder: place.handoffs, cwd: folder, ...(agent !== undefined && { agent }) };
    const replaced = putPendingHandoff(waiting, { text, file: resolve(path), now: Date.now() });
    const who = `The next new session of ${agent ?? 'an agent'} in ${folder} goes on from it.`;
    const instead = replaced ? ' It takes the place of the one that waited there.' : '';
    process.stdout.write(`\n${printable(who + instead)}\n`);
  }
  return EXIT.clean;
}

/** Takes back what waits in a folder; gives the exit code, and throws as `resumeSession`. */
export function cancelResume({ agent, cwd }: Omit<ResumeFlags, 'dryRun'>): number {
  const folder = folderOf(cwd);
  const waiting = { folder: folders().handoffs, cwd: folder, ...(agent !== undefined && { agent }) };
  const taken = cancelPendingHandoffs(waiting);
  if (taken.length === 0) {
    complain(folder, `No handoff waits there${agent === undefined ? '' : ` for ${agent}`}.`);
    return EXIT.unreadable;
  }
  const lines = taken.map(
    ({ file, agent: of = 'an agent' }) => `The next session of ${of} does not go on from ${file}.`,
  );
  process.stdout.write(lines.map(line => `${printable(line)}\n`).join(''));
  return EXIT.clean;
}

/** Says on standard error that it is off, and what in the settings is wrong. */
function isLayerOn(configFile: string): boolean {
  const { config, problems } = readUserConfig(configFile);
  const { budget, countTokens } = config;
  if (budget.enabled && countTokens) {
    return true;
  }
  problems.forEach(problem => complain('handoff resume', problem));
  const mend = budget.enabled
    ? `Tokens are not counted: set "countTokens" to true in ${configFile} first.`
    : problems.length > 0
      ? `Mend what is wrong in the settings; "budget": {"enabled": true} in ${configFile} turns it on.`
      : `Write "budget": {"enabled": true} into ${configFile} first.`;
  complain('handoff resume', `The budget layer is off, so no session would go on from the file. ${mend}`);
  return false;
}

function textOf(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(path));
  } catch (error) {
    throw error instanceof TypeError ? new Error('It is no UTF-8 text, so it is no handoff file.') : error;
  }
}

/** Without links; the folder in which this program runs where none is named. */
function folderOf(cwd = ''): string {
  let folder: string;
  try {
    folder = realpathSync(resolve(cwd));
  } catch (error) {
    throw new Error(`The folder ${cwd} cannot be used. ${reasonOf(error)}`, { cause: error });
  }
  if (!statSync(folder).isDirectory()) {
    throw new Error(`${folder} is no folder.`);
  }
  return folder;
}
