import type { Command } from 'commander';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { EXIT } from './command.ts';
import { printable, printableJson } from './printable.ts';
import { sentenceOf } from './session/eventLine.ts';
import { followLog } from './session/followLog.ts';
import { openLogOf } from './session/openedLog.ts';
import { outputStyle, type Style } from './style.ts';
import { dateAndTime } from './words.ts';

interface Flags {
  readonly follow?: true;
  readonly type?: readonly string[];
  readonly json?: true;
}

const HELP = `
A session is named by its id, by the beginning of its id, or by the path of its log.

--type takes a type such as block/discarded, or the beginning of types such as discard; several are divided by commas, and
the option may be repeated.

Exit code: 0; 1 when the log ends in an unfinished line; 2 when there is no such session, or the log can be read only in
part.`;

/** Adds `log <session>`. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .summary('print the events of a session')
    .description('Print what happened in a session, one sentence for each event.')
    .argument('<session>', 'id, its beginning, or the path of a log')
    .option('--follow', 'go on with what is written, until the session ends or you press Ctrl-C')
    .option('--type <types>', 'only events of these types', (types, all: readonly string[] = []) => [
      ...all,
      ...types.split(',').filter(type => type !== ''),
    ])
    .option('--json', 'print the events as they are, one JSON object a line')
    .addHelpText('after', HELP)
    .action(async (session: string, flags: Flags) => {
      process.exitCode = await runLog(session, flags);
    });
}

async function runLog(session: string, { follow, type: types, json }: Flags): Promise<number> {
  const line = json ? jsonLine : sentenceLine(outputStyle());
  const print = (events: readonly LogEvent[]): void => {
    const wanted = events.filter(event => !types || types.some(type => isOfType(event, type)));
    if (wanted.length > 0) {
      process.stdout.write(wanted.map(event => `${line(event)}\n`).join(''));
    }
  };
  if (follow) {
    return followLog(session, print);
  }
  const log = await openLogOf(session);
  print(log?.events ?? []);
  return log?.exitCode ?? EXIT.unreadable;
}

/** `discard` is every type that begins with `discard/`. */
function isOfType({ type }: LogEvent, wanted: string): boolean {
  return type === wanted || type.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`);
}

function jsonLine(event: LogEvent): string {
  return process.stdout.isTTY ? printableJson(event) : JSON.stringify(event);
}

function sentenceLine(style: Style): (event: LogEvent) => string {
  return event => {
    const place = `#${event.seq}`.padEnd(6);
    return `${style('dim', `${place} ${dateAndTime(event.time)}`)}  ${style(colourOf(event.type), printable(event.type).padEnd(18))}  ${sentenceOf(event)}`;
  };
}

/** What a person looks for stands out. */
function colourOf(type: string): Parameters<Style>[0] {
  if (/^(block\/(conflict|denied)|discard\/(denied|unknown|overflow)|session\/problem|log\/torn)$/.test(type)) {
    return 'yellow';
  }
  if (type === 'block/discarded' || type === 'ephemeral/consumed') {
    return 'magenta';
  }
  return type === 'block/activated' ? 'green' : 'cyan';
}
