import { savedSession, UnsavableSessionError } from '../../adapter/handoff/savedSession.ts';
import type { HandoffFile } from '../../protocol/budget/handoff/handoffFile.ts';
import { saveHandoff } from '../../protocol/budget/handoff/saveHandoff.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { complain, EXIT } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { printable, printableJson } from '../printable.ts';
import { folded } from '../session/foldedLog.ts';
import { type OpenedLog, openLogOf } from '../session/openedLog.ts';
import { requestsOf, workingOn } from '../session/requestsOf.ts';
import { amount } from '../words.ts';
import { writeSaved } from './writeSaved.ts';

export interface SaveFlags {
  /** `-` is standard output. */
  readonly out?: string;
  readonly force?: boolean;
  readonly taskState?: JsonObject;
  readonly pending?: readonly string[];
}

/** A name that is a file's on every system. */
const FILE_NAME = /^[\w-]{1,64}$/;

/** Saves a session for another one. Gives the exit code; what is wrong was said on standard error. */
export async function saveSession(given: string, flags: SaveFlags): Promise<number> {
  const log = await openLogOf(given);
  return log ? workingOn(log, () => save(log, flags)) : EXIT.unreadable;
}

function save(log: OpenedLog, { out = fileNameOf(log), force = false, taskState, pending }: SaveFlags): number {
  const { states, events, exitCode } = folded(log);
  const requests = requestsOf({ ...log, events, exitCode });
  const state = states.at(requests.events.length) ?? states.latest;
  let file: HandoffFile;
  try {
    const { header } = log;
    const saved = savedSession({ header, events: requests.events, state, history: requests.history }, Date.now());
    file = saveHandoff({ ...saved, ...(taskState && { taskState }), ...(pending && { pendingActions: pending }) });
  } catch (error) {
    if (!(error instanceof UnsavableSessionError)) {
      throw error;
    }
    complain(log.shown, error.message);
    return EXIT.unreadable;
  }
  if (out === '-') {
    process.stdout.write(`${printableJson(file, 2)}\n`);
    return requests.exitCode;
  }
  try {
    writeSaved(out, `${JSON.stringify(file, undefined, 2)}\n`, force);
  } catch (error) {
    complain(out, reasonOf(error, out));
    return EXIT.unreadable;
  }
  process.stdout.write(`${savedLine(log.shown, out, file)}\n${file.gaps.map(gap => `${printable(gap)}\n`).join('')}`);
  return requests.exitCode;
}

function fileNameOf({ shown, path }: OpenedLog): string {
  const name = FILE_NAME.test(shown) ? shown : (/([0-9a-f]{8})[0-9a-f]*\.jsonl$/.exec(path)?.[1] ?? 'session');
  return `handoff-${name}.json`;
}

function savedLine(session: string, out: string, { tier1, history, lifecycle, omitted_results: results }: HandoffFile) {
  const discarded = lifecycle.blocks.filter(({ status }) => status === 'discarded').length;
  const parts = [
    tier1 ? `the task and ${amount(tier1.constraints.length, 'constraint')}` : 'no task',
    `summaries of the whole history: ${history.length}`,
    `blocks: ${lifecycle.blocks.length} (discarded: ${discarded})`,
    `results of tools, which are not saved: ${results.length}`,
  ];
  return printable(`Session ${session} is saved in ${out} (${parts.join('; ')}).`);
}
