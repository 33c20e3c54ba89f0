import { basename } from 'node:path';
import { askInTime } from './askInTime.ts';
import { readAnswers } from './readAnswers.ts';
import { runCommand } from './runCommand.ts';
import { summaryDocument } from './summaryDocument.ts';
import type { SummaryMaker } from './summaryMaker.ts';

export interface CommandSummariesOptions {
  /** A program and its arguments. No shell reads them. */
  readonly command: readonly string[];
  /** Default: 30. */
  readonly timeoutSeconds?: number;
}

/**
 * Summaries of a program: it is started for each compression with this process's environment, gets one JSON document
 * (`summaryDocument`) on its standard input, texts of the session among it, and prints `{"summaries": [...]}`, a record for each
 * part. Throws `TypeError` for a command that names no program, and `RangeError` for a time-out that is none.
 */
export function commandSummaries({ command, timeoutSeconds }: CommandSummariesOptions): SummaryMaker {
  const [program = ''] = command;
  if (program === '' || command.some(word => word.includes('\0'))) {
    throw new TypeError('command must be a list of words without NUL, the first of which names a program.');
  }
  return askInTime(`command:${basename(program)}`, timeoutSeconds, async (parts, signal) =>
    readAnswers(await runCommand(command, JSON.stringify(summaryDocument(parts)), signal), parts.length),
  );
}
