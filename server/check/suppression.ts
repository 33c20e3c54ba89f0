import { isLineEnd } from '../../protocol/lifecycle/text.ts';
import type { FindingCode } from './finding.ts';

/**
 * The first-line comment of files that teach the protocol: `<!-- context-lifecycle-disable -->` turns all findings of
 * the file off, `<!-- context-lifecycle-disable malformed-tag unknown-block -->` only those codes. It is an ordinary
 * HTML comment, so V1 gives it no meaning, and it must be the whole first line: a file that has to start with front
 * matter is named under `exclude` instead. Names that are no code turn nothing off.
 */
const KEYWORD = 'context-lifecycle-disable';
/** Room for every code several times over; a longer first line is no such comment. */
const MAX_LENGTH = 1000;

/** Whether the text's own first line turns a code off. */
export function suppressionOf(text: string): (code: FindingCode) => boolean {
  const words = firstLine(text)?.split(/[ \t]+/) ?? [];
  if (words.at(0) !== '<!--' || words.at(1) !== KEYWORD || words.at(-1) !== '-->') {
    return () => false;
  }
  const codes = new Set<string>(words.slice(2, -1));
  return code => codes.size === 0 || codes.has(code);
}

/** The first line, if it can be such a comment at all. */
function firstLine(text: string): string | undefined {
  if (!text.startsWith('<!-- ')) {
    return undefined;
  }
  for (let at = 0; at <= MAX_LENGTH; at++) {
    if (at >= text.length || isLineEnd(text.charCodeAt(at))) {
      return text.slice(0, at).trimEnd();
    }
  }
  return undefined;
}
