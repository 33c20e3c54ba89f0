import { isContainer, isJsonArray, type Json, type JsonObject } from '../../protocol/request/json.ts';

/** Deeper values are written in one line. */
const DEEPEST = 40;

/** A text that cannot be taken for anything else, so that it needs no quotes. */
const PLAIN = /^[^\s"'|[\]{}#&*!>%@`,?:\d.+-](?:.*\S)?$/su;
/** As a member of an object would look. */
const LIKE_A_MEMBER = /:\s|:$/;
const OTHER_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const PLAIN_NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * A JSON value as lines for a person: one member or item a line, and texts of several lines as they are. Two values that
 * differ have lines that differ. The lines are not escaped for a terminal yet.
 */
export function readableLines(value: Json, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    return textLines(value);
  }
  if (!isContainer(value)) {
    return [JSON.stringify(value)];
  }
  if (depth >= DEEPEST) {
    return [JSON.stringify(value)];
  }
  return isJsonArray(value) ? listLines(value, depth) : objectLines(value as JsonObject, depth);
}

function textLines(text: string): readonly string[] {
  if (!text.includes('\n')) {
    const isPlain = PLAIN.test(text) && !LIKE_A_MEMBER.test(text) && !OTHER_WORDS.has(text);
    return [isPlain ? text : JSON.stringify(text)];
  }
  // As in YAML: "|-" says that the last line has no end.
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  return [isEnded ? '|' : '|-', ...lines.map(line => (line === '' ? '' : `  ${line}`))];
}

function listLines(items: readonly Json[], depth: number): readonly string[] {
  if (items.length === 0) {
    return ['[]'];
  }
  return items.flatMap(item => {
    const [first = '', ...rest] = readableLines(item, depth + 1);
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
    const lines = readableLines(member, depth + 1);
    return isOpen(member, depth + 1) ? [label, ...lines.map(indented)] : [`${label} ${lines[0]}`, ...lines.slice(1)];
  });
}

/** Whether a member's lines begin below its name. */
function isOpen(value: Json, depth: number): boolean {
  return isContainer(value) && depth < DEEPEST && Object.keys(value).length > 0;
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
