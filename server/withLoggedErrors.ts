import { ResponseError } from 'vscode-languageserver';
import type { Log } from './log.ts';

/**
 * The handler of a request, with its unexpected errors logged, stack and all: the library only answers them. A
 * `ResponseError` is an answer that was meant, and is not logged.
 */
export function withLoggedErrors<A extends unknown[], R>(log: Log, handler: (...params: A) => R): (...params: A) => R {
  const tell = (error: unknown): void => {
    if (!(error instanceof ResponseError)) {
      log.error(`A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  return (...params) => {
    try {
      const answer = handler(...params);
      if (answer instanceof Promise) {
        answer.catch(tell);
      }
      return answer;
    } catch (error) {
      tell(error);
      throw error;
    }
  };
}
