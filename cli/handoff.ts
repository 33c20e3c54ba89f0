import { type Command, InvalidArgumentError } from 'commander';
import { isJsonObject, type JsonObject } from '../protocol/request/json.ts';
import { complain, EXIT } from './command.ts';
import { reasonOf } from './failure.ts';
import { cancelResume, type ResumeFlags, resumeSession } from './handoff/resume.ts';
import { type SaveFlags, saveSession } from './handoff/save.ts';
import { readRegularFile } from './regularFile.ts';

const SAVE_HELP = `
A session is named by its id, by the beginning of its id, or by the path of its log; it may be running, and need not have the
budget layer on. All is taken from the log, which is not changed. The file holds summaries of what was said: it is yours alone
(mode 0600), and never written over another one without --force.

Exit code: 0; 1 when the log ends in an unfinished line; 2 when there is no such session, when it cannot be saved, or when the
file cannot be written.`;

const RESUME_HELP = `
The next new session that an agent begins in the folder goes on from the file, once. Its budget layer has to be on. Nothing in
the file is executed.

Exit code: 0; 2 when the file cannot be used, when the budget layer is off, or when there is nothing to take back.`;

/** Adds `handoff save <session>` and `handoff resume [file]`. */
export function addHandoffCommand(program: Command): void {
  const handoff = program
    .command('handoff')
    .summary('save a session, and let another one go on from it')
    .description('Save what a session knows, and let a new session go on from it.');
  handoff
    .command('save')
    .summary('write what another session needs to go on')
    .description('Write what another session needs to go on: task, summaries, state of blocks, documents, gaps.')
    .argument('<session>', 'id, its beginning, or the path of a log')
    .option('--out <file>', 'write it there; - is standard output; default handoff-<id>.json')
    .option('--force', 'write over a file that is there')
    .option('--task-state <file>', 'a JSON object with the state of your own task, which is handed on', taskStateIn)
    .option('--pending <action>', 'something that still waits; may be given more than once', gathered)
    .addHelpText('after', SAVE_HELP)
    .action((session: string, flags: SaveFlags) => exitWith(session, () => saveSession(session, flags)));
  const resume = handoff
    .command('resume')
    .summary('let the next session in a folder go on from a file')
    .description('Say what a new session takes over from a file, and let the next one in a folder go on from it.')
    .argument('[file]', 'written by handoff save')
    .option('--agent <name>', 'only a session of this agent, such as pi or claude-code')
    .option('--cwd <folder>', 'the folder in which the agent will begin it; default the current one')
    .option('--dry-run', 'only say what it would take over')
    .option('--cancel', 'take back what waits in the folder')
    .addHelpText('after', RESUME_HELP)
    .action((file: string | undefined, flags: ResumeFlags & { readonly cancel?: true }) => {
      if ((file === undefined) !== (flags.cancel === true)) {
        resume.error('error: resume takes a file, or --cancel');
      }
      return exitWith(file ?? 'handoff', () => (file === undefined ? cancelResume(flags) : resumeSession(file, flags)));
    });
}

async function exitWith(named: string, work: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    complain(named, reasonOf(error));
    process.exitCode = EXIT.unreadable;
  }
}

function gathered(action: string, before: readonly string[] = []): readonly string[] {
  return [...before, action];
}

function taskStateIn(path: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readRegularFile(path).toString('utf8'));
  } catch (error) {
    throw new InvalidArgumentError(error instanceof SyntaxError ? 'It is no JSON.' : reasonOf(error, path));
  }
  if (!isJsonObject(value)) {
    throw new InvalidArgumentError('It holds no JSON object.');
  }
  return value;
}
