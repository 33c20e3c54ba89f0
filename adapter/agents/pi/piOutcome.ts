import type { Outcome, Usage } from '../../../protocol/log/sessionEvents.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';

/** How pi says that an answer ended. */
export function outcomeOf(answer: JsonObject): Outcome {
  switch (answer['stopReason']) {
    case 'error':
      return 'failed';
    case 'aborted':
      return 'aborted';
    default:
      return 'completed';
  }
}

/** Absent where pi does not say it: an answer that ran out of tokens, for one. */
export function callsToolsOf(answer: JsonObject): boolean | undefined {
  const reason = answer['stopReason'];
  return reason === 'toolUse' ? true : reason === 'stop' ? false : undefined;
}

/** pi's `input` leaves out what was cached; absent where the provider reported nothing. */
export function usageOf(answer: JsonObject): Usage | undefined {
  const usage = answer['usage'];
  if (!isJsonObject(usage)) {
    return undefined;
  }
  const amount = (name: string): number => {
    const value = usage[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  const [fresh, output, cacheRead, cacheWrite] = [
    amount('input'),
    amount('output'),
    amount('cacheRead'),
    amount('cacheWrite'),
  ] as const;
  const input = fresh + cacheRead + cacheWrite;
  return input + output === 0 ? undefined : { input, output, cacheRead, cacheWrite };
}
