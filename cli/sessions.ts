import type { Command } from 'commander';
import { folders } from '../local/folders.ts';
import { complain, EXIT, workingFolder } from './command.ts';
import { reasonOf } from './failure.ts';
import { printableJson } from './printable.ts';
import { deleteAllSessions, deleteSessions } from './session/deleteSessions.ts';
import { type SessionRow, sessionRows } from './session/sessionRows.ts';
import { sessionTable } from './session/sessionTable.ts';
import { outputStyle } from './style.ts';

interface Flags {
  readonly json?: true;
  readonly all?: true;
  readonly delete?: readonly string[] | true;
}

/** Each one that is listed is read. */
const LISTED = 20;

const HELP = `
What is under ID is enough to name a session in every command. The newest ${LISTED} are listed; --all lists them all. Those
of this folder's project come first, and of these the live ones.

--delete removes logs, and what they know of earlier discards: it takes ids, beginnings of ids and paths, or --all. A session
that is live stays.

Exit code: 0; 1 when a session that is live was to be deleted; 2 when something could not be read or found.`;

/** Adds `sessions`. */
export function addSessionsCommand(program: Command): void {
  const sessions = program
    .command('sessions')
    .summary('list live and past sessions, or delete past ones')
    .description('List the sessions of agents on this machine that keep a log, live and past ones.')
    .option('--json', 'print them as JSON')
    .option('--delete [ids...]', 'delete past sessions')
    .option('--all', 'all of them, in a list as with --delete')
    .addHelpText('after', HELP);
  sessions.action(async (flags: Flags) => {
    if (flags.delete !== undefined && (flags.delete === true) === (flags.all === undefined)) {
      sessions.error('error: --delete takes the ids of sessions, or --all');
    }
    try {
      process.exitCode = await run(flags);
    } catch (error) {
      complain('sessions', reasonOf(error));
      process.exitCode = EXIT.unreadable;
    }
  });
}

async function run({ json, all, delete: deleted }: Flags): Promise<number> {
  if (deleted !== undefined) {
    return deleted === true ? deleteAllSessions() : deleteSessions(deleted);
  }
  const place = folders();
  const { rows, left } = await sessionRows(place, workingFolder() ?? '/', all ? Number.POSITIVE_INFINITY : LISTED);
  if (json) {
    process.stdout.write(`${printableJson({ sessions: rows.map(jsonOf), more: left }, 2)}\n`);
  } else if (rows.length === 0) {
    process.stdout.write(`There are no sessions yet in ${place.sessions}. To see one: context-lifecycle demo\n`);
  } else {
    const more = left === 0 ? '' : `\n${left} older ones are not listed: --all lists them.\n`;
    process.stdout.write(`${sessionTable(rows, outputStyle())}${more}`);
  }
  return EXIT.clean;
}

/** What is not known is left out; times are Unix milliseconds. */
function jsonOf({ shown, id, agent, cwd, here, when, log, live }: SessionRow): object {
  return {
    id,
    short: shown,
    agent,
    cwd,
    here,
    when,
    requests: log?.requests,
    blocks: log?.blocks,
    bytes: log?.bytes,
    log: log?.path,
    problem: log?.problem,
    live: live !== undefined,
    pid: live?.pid,
    announced: live?.announced,
    transcript: live?.transcript,
  };
}
