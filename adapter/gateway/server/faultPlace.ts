/** So many calls say where something happened. */
const MOST_CALLS = 8;

/**
 * What an error is and where it happened, without what it says: libraries, and JSON.parse, quote what an agent sent, and nothing of
 * that may be printed.
 */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'something that is no error was thrown';
  }
  const { name, message, stack = '' } = error;
  const head = stack.indexOf(message);
  const calls = head < 0 ? [] : stack.slice(head + message.length).split('\n');
  const places = calls.filter(line => /^\s+at /.test(line)).slice(0, MOST_CALLS);
  return [name, ...places.map(line => line.trim())].join(' ');
}
