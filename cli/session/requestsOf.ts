import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import { complain, EXIT } from '../command.ts';
import { endedBy, type OpenedLog } from './openedLog.ts';

/** The requests of a log, as far as its events fit together. */
export interface LogRequests {
  readonly history: RequestHistory;
  /** Those that are in the history. */
  readonly events: readonly LogEvent[];
  readonly exitCode: number;
}

/** How many requests there are. */
type Counted = { readonly history: Pick<RequestHistory, 'requests'> };

/** Takes a log's events in; where one contradicts those before it, that is said on standard error, and the rest is left out. */
export function requestsOf({ shown, events, exitCode }: OpenedLog): LogRequests {
  const history = new RequestHistory();
  for (const [index, event] of events.entries()) {
    try {
      history.append(event);
    } catch (error) {
      if (!(error instanceof CorruptLogError)) {
        throw error;
      }
      complain(shown, endedBy(error));
      return { history, events: events.slice(0, index), exitCode: EXIT.unreadable };
    }
  }
  return { history, events, exitCode };
}

/**
 * Does a command's work on a log, and gives its exit code. Some of what events hold is only looked at when a request needs it:
 * where it is wrong, that is said on standard error.
 */
export function workingOn({ shown }: OpenedLog, work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CorruptLogError)) {
      throw error;
    }
    const place = error.index === undefined ? '' : `#${error.index} of `;
    complain(shown, `The request cannot be built: ${place}the log cannot be used, because ${error.reason}.`);
    return EXIT.unreadable;
  }
}

/** Why there is no such request, and which there are. */
export function noSuchRequest(given: string, { history }: Counted): string {
  const { requests } = history;
  const there =
    requests === 0
      ? 'no request was sealed in this session'
      : requests === 1
        ? 'it has only request 1'
        : `it has the requests 1 to ${requests}`;
  return `There is no request ${JSON.stringify(given)}: ${there}.`;
}

/** A request's number as a person types it; absent when it is none of this log's. */
export function requestNumber(given: string, { history }: Counted): number | undefined {
  const number = /^[1-9]\d{0,8}$/.test(given) ? Number(given) : 0;
  return number >= 1 && number <= history.requests ? number : undefined;
}
