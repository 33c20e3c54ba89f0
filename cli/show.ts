import { createHash } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { sealedText } from '../protocol/request/sealer.ts';
import { complain, EXIT } from './command.ts';
import { printableJsonText } from './printable.ts';
import { showBody } from './request/bodyOutput.ts';
import { entriesAt } from './request/entriesAt.ts';
import { holdsContent, loggedRequest } from './request/loggedRequest.ts';
import { REQUEST_PARTS, type RequestPart, requestText } from './request/requestText.ts';
import { foldersOf } from './session/eventLine.ts';
import { type OpenedLog, openLogOf } from './session/openedLog.ts';
import { noSuchRequest, requestNumber, requestsOf, workingOn } from './session/requestsOf.ts';
import { outputStyle } from './style.ts';
import { listed } from './words.ts';

const HELP = `
A session is named by its id, by the beginning of its id, or by the path of its log.

The request is built from the log alone. "json" is the sealed text, byte for byte, and nothing else: its SHA-256 is the
hash that was logged when it was sealed. On a terminal, characters that it would obey are \\u escapes: the same JSON.

"--part" leaves out what you do not look for: config, system, tools, prefix and messages are the parts of the text.

"--body" prints the body that carried the request to the model API, byte for byte, where a gateway sent it. Where that was
compressed, it prints what was compressed.

Exit code: 0; 1 when the log gives another text than was sealed or sent, or ends in an unfinished line; 2 when there is no
such session, request or body, or the log can be read only in part.`;

/** Adds `show <session> <n>`. */
export function addShowCommand(program: Command): void {
  program
    .command('show')
    .summary('print one request of a session')
    .description('Print one request of a session exactly as it was sealed, from the log alone.')
    .argument('<session>', 'id, its beginning, or the path of a log')
    .argument('<n>', 'number of the request, from 1')
    .addOption(new Option('--format <format>', '"text" is for reading').choices(['json', 'text']).default('json'))
    .addOption(
      new Option('--part <parts>', 'only these parts of the text for reading, divided by commas')
        .argParser(gatherParts)
        .implies({ format: 'text' }),
    )
    .addOption(
      new Option('--body', 'the body that a gateway sent, in place of the request').conflicts(['format', 'part']),
    )
    .addHelpText('after', HELP)
    .action(async (session: string, number: string, { format, part, body = false }: ShowOptions, command: Command) => {
      if (part && format === 'json') {
        command.error('error: --part takes apart the text for reading: leave out --format json');
      }
      const log = await openLogOf(session);
      process.exitCode = log
        ? workingOn(log, () => show(log, number, { format: body ? 'body' : format, part }))
        : EXIT.unreadable;
    });
}

interface ShowOptions {
  readonly format: 'json' | 'text';
  readonly body?: boolean;
  readonly part?: readonly RequestPart[];
}

interface Shown {
  readonly format: 'json' | 'text' | 'body';
  /** Absent for all of them. */
  readonly part: readonly RequestPart[] | undefined;
}

function gatherParts(given: string, before: readonly RequestPart[] | undefined): readonly RequestPart[] {
  const parts = given.split(',').map(name => {
    const part = REQUEST_PARTS.find(known => known === name.trim());
    if (part === undefined) {
      throw new InvalidArgumentError(`The parts are ${listed(REQUEST_PARTS)}.`);
    }
    return part;
  });
  return [...(before ?? []), ...parts];
}

function show(log: OpenedLog, given: string, { format, part }: Shown): number {
  const requests = requestsOf(log);
  const number = requestNumber(given, requests);
  const logged = number === undefined ? undefined : loggedRequest(requests.events, number);
  const request = number === undefined ? undefined : requests.history.rebuild(number);
  if (!logged || !request) {
    complain(log.shown, noSuchRequest(given, requests));
    return EXIT.unreadable;
  }
  if (format === 'body') {
    return showBody(log.shown, requests, logged);
  }
  const { events } = requests;
  const hasContent = holdsContent(events, logged.event.seq);
  const text = sealedText(request);
  if (format === 'json') {
    process.stdout.write(process.stdout.isTTY ? `${printableJsonText(text)}\n` : text);
  } else {
    const entries = entriesAt(events, logged.sealed.stepStart);
    const shown = { session: log.shown, folders: foldersOf(log.header), request, logged, entries, events, hasContent };
    process.stdout.write(requestText(shown, outputStyle(), part));
  }
  if (!hasContent) {
    complain(log.shown, 'This log holds hashes in place of content, so this is not the text that was sealed.');
  } else if (createHash('sha256').update(text).digest('hex') !== logged.sealed.hash) {
    complain(
      log.shown,
      `This is not the text that was sealed: the log says that its SHA-256 is ${logged.sealed.hash}.`,
    );
    return Math.max(requests.exitCode, EXIT.problems);
  }
  return requests.exitCode;
}
