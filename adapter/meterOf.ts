import type { MessageFormat } from '../protocol/lifecycle/messageFormat.ts';
import { guardedMeter } from './guardedMeter.ts';
import { NO_METER } from './noMeter.ts';
import type { MeasuredRequest, RequestMeter } from './requestMeter.ts';
import type { SessionLog } from './sessionLog.ts';
import type { SessionOptions } from './sessionTypes.ts';
import { CountingMeter } from './tokens/countingMeter.ts';
import { sharedTokenCounter } from './tokens/openTokenCounter.ts';

/** The meter of a session that goes on with this log. */
export function meterOf(
  { config = {}, counter }: SessionOptions,
  format: MessageFormat,
  log: SessionLog,
): RequestMeter {
  if (config.countTokens === false) {
    return NO_METER;
  }
  const meter = guardedMeter(new CountingMeter({ counter: counter ?? sharedTokenCounter(), format }));
  const previous = config.content === 'hashes' ? undefined : lastRequest(log);
  if (previous) {
    // A resume's first request is compared with the last one before it.
    meter.measure(previous);
  }
  return meter;
}

/** The last request of the log; absent where there is none. */
function lastRequest({ history }: SessionLog): MeasuredRequest | undefined {
  const request = history.requests > 0 ? history.rebuild(history.requests) : undefined;
  const prefixLength = history.header?.messagePrefix?.length ?? 0;
  return request && { ...request, requestSequence: history.requests, prefixLength };
}
