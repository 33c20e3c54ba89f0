import type { JsonObject } from '../../protocol/request/json.ts';

/** Of a message's text, about; its JSON takes 400 bytes then. */
const CHARACTERS = 310;
/** Messages of a turn: a question, four calls with their results, an answer. */
const TURN = 10;

const PROSE = 'The service keeps its state in one table, and each request reads the newest row of it. ';
const CODE = '  const row = await table.newest(key);\n  if (!row) {\n    return undefined;\n  }\n';

/** A long coding session in seed 2's own messages: the first `count`, always the same ones. */
export function transcript(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => messageAt(index));
}

/** Sizes as in a real session: short questions and calls, a few long tool results. */
function messageAt(index: number): JsonObject {
  const place = index % TURN;
  if (place === 0) {
    return { role: 'user', content: [text(`Question ${index}: ${PROSE.repeat(2)}`)] };
  }
  if (place === TURN - 1) {
    return { role: 'assistant', content: [text(`Answer ${index}: ${fill(PROSE, CHARACTERS)}`)] };
  }
  if (place % 2 === 1) {
    const call = { type: 'tool-call', toolCallId: `call-${index}`, toolName: 'read', input: inputAt(index) };
    return { role: 'assistant', content: [text(`Step ${index}.`), call] };
  }
  const result = text(`${index}\n${fill(CODE, place === 4 ? 4 * CHARACTERS : CHARACTERS / 2)}`);
  const block = { type: 'tool-result', toolCallId: `call-${index - 1}`, toolName: 'read', content: [result] };
  return { role: 'user', content: [block] };
}

function inputAt(index: number): JsonObject {
  return { path: `src/part-${index % 100}/file-${index}.ts`, offset: index, limit: 200, pattern: null, follow: false };
}

function text(value: string): JsonObject {
  return { type: 'text', text: value };
}

function fill(pattern: string, length: number): string {
  return pattern.repeat(Math.max(1, Math.round(length / pattern.length)));
}

/** The text of the transcript that was asked for last. */
let kept: { readonly count: number; readonly json: string } = { count: 0, json: '[]' };

/** Its first messages; nobody has seen any object of them before. */
export function freshTranscript(count: number): readonly JsonObject[] {
  if (kept.count !== count) {
    kept = { count, json: JSON.stringify(transcript(count)) };
  }
  return JSON.parse(kept.json) as readonly JsonObject[];
}
