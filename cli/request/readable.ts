import { isContainer, isJsonArray, type Json, type JsonObject } from '../../protocol/request/json.ts';

/** Deeper values are written in one line. */
const DEEPEST = 40;

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const OTHER_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const PLAIN_NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * A JSON value as lines for a person: one member or item a line, and texts of several lines as they are. Two values that
 * differ have lines that differ. The lines are not escaped for a terminal yet.
 */
export function readableLines(value: Json): readonly string[] {
  return linesOf(value, 0, true);
}

/** `isItem`: the first line stands alone or behind a dash, where a text may look like a member or a list. */
function linesOf(value: Json, depth: number, isItem: boolean): readonly string[] {
  if (typeof value === 'string') {
    return textLines(value, isItem);
  }
  if (!isContainer(value) || depth >= DEEPEST) {
    return [JSON.stringify(value)];
  }
  return isJsonArray(value) ? listLines(value, depth) : objectLines(value, depth);
}

function textLines(text: string, isItem: boolean): readonly string[] {
  if (!text.includes('\n')) {
    return [isPlain(text) && !(isItem && LIKE_AN_ITEM.test(text)) ? text : JSON.stringify(text)];
  }
  // As in YAML: "|-" says that the last line has no end.
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  return [isEnded ? '|' : '|-', ...lines.map(indented)];
}

const LIKE_AN_ITEM = /^-|:\s|:$/;

/** A text that cannot be taken for another value, so that it needs no quotes. */
function isPlain(text: string): boolean {
  return text !== '' && text.trim() === text && !/^["|[{]/.test(text) && !NUMBER.test(text) && !OTHER_WORDS.has(text);
}

function listLines(items: readonly Json[], depth: number): readonly string[] {
  if (items.length === 0) {
    return ['[]'];
  }
  return items.flatMap(item => {
    const [first = '', ...rest] = linesOf(item, depth + 1, true);
    return [`- ${first}`, ...rest.map(indented)];
  });
}

function objectLines(value: JsonObject, depth: number): readonly string[] {
  const members = Object.entries(value);
  if (members.length === 0) {
    return ['{}'];
  }
  return members.flatMap(([name, member]) => {
    const label = `${PLAIN_NAME.test(name) ? name : JSON.stringify(name)}:`;
    const [first = '', ...rest] = linesOf(member, depth + 1, false);
    return isOpen(member, depth + 1) ? [label, ...[first, ...rest].map(indented)] : [`${label} ${first}`, ...rest];
  });
}

/** Whether a member's lines begin below its name. */
function isOpen(value: Json, depth: number): boolean {
  return isContainer(value) && depth < DEEPEST && Object.keys(value).length > 0;
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
