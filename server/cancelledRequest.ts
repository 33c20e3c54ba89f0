import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';

/**
 * Ends a request that the client has given up. Never with an empty answer, which would make squiggles blink
 * (editor-bugs 19): the client keeps what it shows and asks again.
 */
export function refuseCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested) {
    throw new ResponseError(LSPErrorCodes.ServerCancelled, 'The request was cancelled.', { retriggerRequest: true });
  }
}
