import { MAX_LINE_LENGTH } from '../protocol/log/logReader.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';

/** The most characters of JSON that one character of a text takes (`\u0000`), and that one value takes besides its text. */
const MOST_PER_CHARACTER = 6;
const MOST_PER_VALUE = 32;

/** Whether no reader would take an event's line. The line itself is only made where it may be so. */
export function isTooLong(event: LogEvent): boolean {
  return mostCharacters(event) > MAX_LINE_LENGTH && JSON.stringify(event).length > MAX_LINE_LENGTH;
}

function mostCharacters(value: unknown): number {
  if (typeof value === 'string') {
    return value.length * MOST_PER_CHARACTER + MOST_PER_VALUE;
  }
  if (typeof value !== 'object' || value === null) {
    return MOST_PER_VALUE;
  }
  return Object.entries(value).reduce(
    (most, [name, member]) => most + mostCharacters(name) + mostCharacters(member),
    MOST_PER_VALUE,
  );
}
