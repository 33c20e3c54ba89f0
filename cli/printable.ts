/**
 * Characters that a terminal or a person's eye would obey instead of show: control characters (the 8-bit ones too),
 * line separators, format characters (bidirectional controls, zero-width and tag characters) and lone surrogates.
 */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** GitHub's old and other services' log commands (`##[…]`, `##vso[…]`) count anywhere in a line. */
const LOG_COMMAND = /##(?=[a-z]*\[)/gi;

/** Text from outside for a terminal or a log: one line, and nothing in it is obeyed. */
export function printable(text: string): string {
  return text
    .replace(OBEYED, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(LOG_COMMAND, '#\\u{23}');
}

/** A path at the start of a line; one that starts with a colon would be read as a workflow command (`::error::`). */
export function printablePath(path: string): string {
  const shown = printable(path);
  return shown.trimStart().startsWith(':') ? `./${shown}` : shown;
}

/** JSON text in which such characters are `\u` escapes: the same value, and harmless in a terminal or a log. */
export function printableJson(value: unknown, indentation = 0): string {
  return printableJsonText(JSON.stringify(value, undefined, indentation));
}

/** A JSON text with such escapes. */
export function printableJsonText(json: string): string {
  return json
    .replace(OBEYED, character => (character === '\n' ? character : unitEscapes(character)))
    .replace(LOG_COMMAND, '#\\u0023');
}

function unitEscapes(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * One line of a text from outside, for a terminal or a log: as `printable`, but tabs stay, and a runner that reads workflow
 * commands (`::error::`) at the start of a line, behind blanks too, finds none.
 */
export function printableLine(line: string): string {
  return line
    .split('\t')
    .map(printable)
    .join('\t')
    .replace(/^(\s*):(?=:)/, '$1\\u{3a}');
}
