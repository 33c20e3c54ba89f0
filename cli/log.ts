import type { Command } from 'commander';
import { EVENT_TYPES } from '../protocol/log/eventSentence.ts';
import type { LogHeader } from '../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { complain, EXIT } from './command.ts';
import { printable, printableJson } from './printable.ts';
import { foldersOf, type KnownFolders, sentenceOf } from './session/eventLine.ts';
import { followedLog } from './session/followedLog.ts';
import { openLogOf } from './session/openedLog.ts';
import { outputStyle, type Style } from './style.ts';
import { dateAndTime, listed } from './words.ts';

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
    .option('--type <types>', 'only events of these types', gather, undefined)
    .option('--json', 'print the events as they are, one JSON object a line')
    .addHelpText('after', HELP)
    .action(async (session: string, flags: Flags) => {
      process.exitCode = await runLog(session, flags);
    });
}

async function runLog(session: string, { follow, type: types, json }: Flags): Promise<number> {
  const style = outputStyle();
  const print = (events: readonly LogEvent[], header: LogHeader): void => {
    const line = json ? jsonLine : sentenceLine(foldersOf(header), style);
    const wanted = events.filter(event => !types || types.some(type => isOfType(event, type)));
    if (wanted.length > 0) {
      process.stdout.write(wanted.map(event => `${line(event)}\n`).join(''));
    }
  };
  if (follow) {
    // A later version may write it, so it is waited for all the same.
    const unknown = types?.filter(isUnknown) ?? [];
    if (unknown.length > 0) {
      complain(session, knownTypes(unknown));
    }
    return followedLog(session, print);
  }
  const log = await openLogOf(session);
  if (!log) {
    return EXIT.unreadable;
  }
  print(log.events, log.header);
  if (types && !log.events.some(event => types.some(type => isOfType(event, type)))) {
    const unknown = types.filter(isUnknown);
    complain(
      log.shown,
      `It has no event of the type ${types.join(' or ')}.${unknown.length === 0 ? '' : ` ${knownTypes(unknown)}`}`,
    );
    return unknown.length === 0 ? log.exitCode : EXIT.unreadable;
  }
  return log.exitCode;
}

function gather(types: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), ...types.split(',').filter(type => type !== '')];
}

/** `discard` is every type that begins with `discard/`. */
function isOfType({ type }: Pick<LogEvent, 'type'>, wanted: string): boolean {
  return type === wanted || type.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`);
}

/** Of no event that this version knows. */
function isUnknown(wanted: string): boolean {
  return !EVENT_TYPES.some(type => isOfType({ type }, wanted));
}

function knownTypes(unknown: readonly string[]): string {
  return `There is no type ${unknown.join(' or ')}. The types are ${listed(EVENT_TYPES)}; the word before a / stands for all that begin with it.`;
}

function jsonLine(event: LogEvent): string {
  return process.stdout.isTTY ? printableJson(event) : JSON.stringify(event);
}

function sentenceLine(folders: KnownFolders, style: Style): (event: LogEvent) => string {
  return event => {
    const place = style('dim', `${`#${event.seq}`.padEnd(6)} ${dateAndTime(event.time)}`);
    const type = style(colourOf(event.type), printable(event.type).padEnd(TYPE_WIDTH));
    return `${place}  ${type}  ${sentenceOf(event, folders)}`;
  };
}

/** Of the longest type that is written often. */
const TYPE_WIDTH = 20;

const WARNINGS =
  /^(?:block\/(?:conflict|denied)|discard\/(?:denied|unknown|overflow)|session\/problem|log\/torn|budget\/(?:contradiction|drift|edit-refused|limit-learned|reset-requested|summary-failed|tier1-denied))$/;

/** What a person looks for stands out. */
function colourOf(type: string): Parameters<Style>[0] {
  if (WARNINGS.test(type)) {
    return 'yellow';
  }
  if (type === 'block/discarded' || type === 'ephemeral/consumed' || type === 'budget/edit') {
    return 'magenta';
  }
  return type === 'block/activated' ? 'green' : 'cyan';
}
