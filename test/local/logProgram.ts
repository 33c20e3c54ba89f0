/**
 * A session for tests that need one in a process of its own. Arguments: what to do, the folder, the log's name. It says on
 * standard output what happened, one thing a line.
 */
import { writeSync } from 'node:fs';
import { argv, stdin } from 'node:process';
import { LogWriteError } from '../../local/logErrors.ts';
import type { LogWriter } from '../../local/logWriter.ts';
import { createLog, logPath, resumeLog } from '../../local/openLog.ts';
import { HEADER, noteAt, tornAt } from './kit.ts';

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function sayWhatFailed(error: unknown): void {
  const what = error instanceof LogWriteError ? `${error.code} written ${error.written}: ` : '';
  say(`${what}${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
}

async function open(folder: string, name: string): Promise<LogWriter> {
  const resumed = await resumeLog(logPath(folder, name));
  return resumed?.writer ?? createLog({ folder, name, header: HEADER });
}

/** Opens the log and holds it until standard input ends. */
async function hold(folder: string, name: string): Promise<void> {
  const writer = await open(folder, name);
  say('open');
  for await (const _ of stdin) {
    writer.append([noteAt(writer.nextSeq)]);
    say(`wrote ${writer.nextSeq - 1}`);
  }
  writer.close();
  say('closed');
}

/** Writes batches of three events until the system refuses, then hands the refused one over once more. */
async function fill(folder: string, name: string): Promise<void> {
  const writer = await open(folder, name);
  for (let tries = 0; tries < 2; ) {
    const seq = writer.nextSeq;
    const first = writer.tornBytes > 0 ? tornAt(seq, writer.tornBytes) : noteAt(seq, 3_000);
    const batch = [first, noteAt(seq + 1, 3_000), noteAt(seq + 2, 3_000)];
    for (let refused = true; refused && tries < 2; ) {
      try {
        writer.append(batch);
        say(`wrote ${seq + 2}`);
        refused = false;
      } catch (error) {
        tries++;
        sayWhatFailed(error);
        say(`next ${writer.nextSeq} torn ${writer.tornBytes}`);
      }
    }
  }
}

const [, , what, folder = '', name = ''] = argv;
try {
  await (what === 'fill' ? fill(folder, name) : hold(folder, name));
} catch (error) {
  sayWhatFailed(error);
}
