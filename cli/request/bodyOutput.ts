import { createHash } from 'node:crypto';
import { complain, EXIT } from '../command.ts';
import { printableJsonText } from '../printable.ts';
import type { LogRequests } from '../session/requestsOf.ts';
import type { LoggedRequest } from './loggedRequest.ts';

/**
 * Prints the body that carried a request, byte for byte; gives the exit code. Where there is none, standard error says why.
 * Throws `CorruptLogError` where its record does not fit the request.
 */
export function showBody(session: string, { history, exitCode }: LogRequests, { sealed, body }: LoggedRequest): number {
  const { requestSequence } = sealed;
  if (!body) {
    complain(
      session,
      `The log says nothing of the body of request ${requestSequence}: only a gateway makes the body that is sent.`,
    );
    return EXIT.unreadable;
  }
  const text = history.bodyText(requestSequence);
  if (text === undefined) {
    complain(session, `This log holds the hash of the body of request ${requestSequence}, and not its content.`);
    return EXIT.unreadable;
  }
  process.stdout.write(process.stdout.isTTY ? `${printableJsonText(text)}\n` : text);
  if (body.encoding !== undefined) {
    complain(session, `This body left compressed (${body.encoding}); this is what was compressed.`);
  }
  const expected = body.decoded?.sha256 ?? body.sha256;
  if (createHash('sha256').update(text).digest('hex') !== expected) {
    complain(session, `This is not the body that was sent: the log says that its SHA-256 is ${expected}.`);
    return Math.max(exitCode, EXIT.problems);
  }
  return exitCode;
}
