import { isLineEnd, type TextChange } from '../../protocol/lifecycle/text.ts';
import { FINDING_CODES, type FindingCode } from './finding.ts';

/**
 * The first-line comment of files that teach the protocol: `<!-- context-lifecycle-disable -->` turns all findings of
 * the file off, `<!-- context-lifecycle-disable malformed-tag unknown-block -->` only those codes. It is an ordinary
 * HTML comment, so V1 gives it no meaning, and it must be the whole first line: a file that has to start with front
 * matter is named under `exclude` instead. Names that are no code turn nothing off.
 */
const KEYWORD = 'context-lifecycle-disable';
/** Room for every code several times over; a longer first line is no such comment. */
const MAX_LENGTH = 1000;

/** The codes that the text's own first line turns off; empty for most texts. */
export function suppressedCodes(text: string): readonly FindingCode[] {
  const words = suppressionWords(text)?.slice(2, -1);
  return words ? FINDING_CODES.filter(code => words.length === 0 || words.includes(code)) : [];
}

/** The change after which the text's first line turns the code off as well; `lineEnd` ends a line that has to be added. */
export function suppressionChange(text: string, code: FindingCode, lineEnd: string): TextChange {
  const words = suppressionWords(text);
  const at = words ? text.indexOf('-->') : 0;
  return { range: { start: at, end: at }, newText: words ? `${code} ` : `<!-- ${KEYWORD} ${code} -->${lineEnd}` };
}

/** The words of the comment, `<!--` and `-->` among them; undefined when the first line is another one. */
function suppressionWords(text: string): readonly string[] | undefined {
  const words = firstLine(text)?.split(/[ \t]+/) ?? [];
  return words.at(0) === '<!--' && words.at(1) === KEYWORD && words.at(-1) === '-->' ? words : undefined;
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
