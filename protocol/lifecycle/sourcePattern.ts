/**
 * Whether a pattern names a source: `*` stands for any characters, every other character for itself. The parts between the
 * stars are looked for from left to right, each once, so that no pattern makes it go back.
 */
export function matchesPattern(pattern: string, source: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) {
    return pattern === source;
  }
  if (source.length < first.length + last.length || !source.startsWith(first) || !source.endsWith(last)) {
    return false;
  }
  const end = source.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = source.indexOf(part, at);
    if (found < 0) {
      return false;
    }
    at = found + part.length;
  }
  return at <= end;
}

/** Whether a pattern can name one source only. */
export function namesOneSource(pattern: string): boolean {
  return !pattern.includes('*');
}
