import type { Command } from 'commander';
import { complain, EXIT } from './command.ts';
import { diffText } from './request/diffText.ts';
import { holdsContent, loggedRequest } from './request/loggedRequest.ts';
import { requestDiff, type Side } from './request/requestDiff.ts';
import { foldersOf } from './session/eventLine.ts';
import { type OpenedLog, openLogOf } from './session/openedLog.ts';
import { type LogRequests, noSuchRequest, requestNumber, requestsOf, workingOn } from './session/requestsOf.ts';
import { outputStyle } from './style.ts';

const HELP = `
A session is named by its id, by the beginning of its id, or by the path of its log.

Parts are compared as their JSON, written for reading: a text that is only packed differently is a difference. Under each hunk
stand the events that caused it; messages that were added need no cause.

Exit code: 0, whether or not they differ; 1 when the log ends in an unfinished line; 2 when there is no such session or
request, or the log can be read only in part.`;

/** Adds `diff <session> <a> <b>`. */
export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .summary('compare two requests of a session')
    .description('Show what differs between two requests of a session, part by part, and which events caused it.')
    .argument('<session>', 'id, its beginning, or the path of a log')
    .argument('<a>', 'number of a request, from 1')
    .argument('<b>', 'number of another one')
    .option('--full', 'show messages that were added or are gone to their end')
    .addHelpText('after', HELP)
    .action(async (session: string, a: string, b: string, { full = false }: { readonly full?: boolean }) => {
      const log = await openLogOf(session);
      process.exitCode = log ? workingOn(log, () => diff(log, a, b, full)) : EXIT.unreadable;
    });
}

function diff(log: OpenedLog, a: string, b: string, full: boolean): number {
  const requests = requestsOf(log);
  const from = sideOf(a, log, requests);
  const to = sideOf(b, log, requests);
  if (!from || !to) {
    return EXIT.unreadable;
  }
  const difference = requestDiff(requests.events, from, to);
  const options = { session: log.shown, folders: foldersOf(log.header), full, style: outputStyle() };
  process.stdout.write(diffText(difference, from, to, options));
  if (![from, to].every(({ logged }) => holdsContent(requests.events, logged.event.seq))) {
    complain(log.shown, 'This log holds hashes in place of content, so hashes are compared.');
  }
  return requests.exitCode;
}

/** Absent, and said on standard error, where there is no such request. */
function sideOf(given: string, { shown }: OpenedLog, requests: LogRequests): Side | undefined {
  const number = requestNumber(given, requests);
  const logged = number === undefined ? undefined : loggedRequest(requests.events, number);
  const request = number === undefined ? undefined : requests.history.rebuild(number);
  if (!logged || !request) {
    complain(shown, noSuchRequest(given, requests));
    return undefined;
  }
  return { request, logged };
}
