import { StateHistory } from '../../protocol/log/stateHistory.ts';
import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { complain, EXIT } from '../command.ts';
import { endedBy, type OpenedLog } from './openedLog.ts';

/** What a log folds to, as far as its events fit together. */
export interface FoldedLog {
  readonly states: StateHistory;
  /** Those that are in it. */
  readonly events: readonly LogEvent[];
  readonly exitCode: number;
}

/** Folds a log's events; where one contradicts those before it, that is said on standard error, and the rest is left out. */
export function folded({ shown, events, exitCode }: OpenedLog): FoldedLog {
  const states = new StateHistory();
  for (const [index, event] of events.entries()) {
    try {
      states.append(event);
    } catch (error) {
      if (!(error instanceof CorruptLogError)) {
        throw error;
      }
      complain(shown, endedBy(error));
      return { states, events: events.slice(0, index), exitCode: EXIT.unreadable };
    }
  }
  return { states, events, exitCode };
}
