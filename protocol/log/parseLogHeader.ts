import { faultOfFirstLine } from '../request/corruptLogError.ts';
import { isJsonObject } from '../request/json.ts';
import { LOG_VERSION, type LogHeader, logHeader } from './sessionEvents.ts';

/**
 * The first line of a log, parsed. Throws `CorruptLogError`, without a place, when it is none, and when the log is of
 * another version than the one that this program reads.
 */
export function parseLogHeader(value: unknown): LogHeader {
  if (!isJsonObject(value)) {
    throw faultOfFirstLine('it is no object');
  }
  const { version } = value;
  if (Number.isSafeInteger(version) && version !== LOG_VERSION) {
    // Said before anything else: nothing more is known about a line of another version.
    throw faultOfFirstLine(
      `the log is of version ${Number(version)}, and this program reads version ${LOG_VERSION} only`,
    );
  }
  const fault = logHeader.fault(value, 'first line');
  if (fault) {
    throw faultOfFirstLine(fault);
  }
  return value as unknown as LogHeader;
}
