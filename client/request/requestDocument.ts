import { tagLine } from '../../protocol/lifecycle/declaration.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../protocol/request/json.ts';
import { messageTitle, toolTitle } from '../../protocol/request/partTitles.ts';
import { readableLines } from '../../protocol/request/readableLines.ts';
import { utf8Length } from '../../protocol/utf8Length.ts';
import type { PanelSession, RequestText } from '../session/sessionModel.ts';
import { sessionName } from '../views/drawing.ts';
import { answerText, receiptText, sizesText } from '../views/requestWords.ts';
import { beside, bytesText, type Wording } from '../views/wording.ts';

/** A request as a document for a person. */
export interface RequestDocument {
  readonly text: string;
  /** Where the definitions of the session's blocks begin. */
  readonly blocks: readonly BlockLine[];
}

export interface BlockLine {
  readonly blockId: string;
  /** From 0. */
  readonly line: number;
}

/** What an editor would take for the end of a line, or obey, as that which turns text around; tabs stay. */
const OBEYED = /[^\P{Cc}\t\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** What is known of a request, then each of its parts with its size, one indented below the other so that they fold. */
export function requestDocument(
  session: PanelSession,
  requestSequence: number,
  sealed: RequestText,
  wording: Wording,
): RequestDocument {
  const request = requestOf(sealed.text);
  if (!request) {
    return { text: sealed.text, blocks: [] };
  }
  const lines = [...headLines(session, requestSequence, sealed, wording)];
  const blocks: BlockLine[] = [];
  const { config, system, tools, messages } = request;
  const part = (name: string, size: string): void => void lines.push('', `${name}  ${size}`);
  const body = (value: Json, indentation: string): void => {
    // One by one: a call takes no hundred thousand arguments.
    for (const line of readableLines(value)) {
      lines.push(line === '' ? '' : `${indentation}${plain(line)}`);
    }
  };
  const list = (name: string, items: readonly Json[], titleOf: (item: Json) => string): void => {
    part(name, beside([String(items.length), sizeText(items, wording)]));
    for (const [index, item] of items.entries()) {
      lines.push(`  [${index + 1}] ${plain(titleOf(item))}  ${sizeText(item, wording)}`);
      body(item, '    ');
    }
  };
  if (config !== undefined) {
    part('config', sizeText(config, wording));
    body(config, '  ');
  }
  if (system !== undefined) {
    part('system', sizeText(system, wording));
    body(system, '  ');
  }
  if (isJsonArray(tools ?? null)) {
    list('tools', tools as readonly Json[], toolTitle);
  }
  if (isJsonArray(messages ?? null)) {
    const all = messages as readonly Json[];
    const blocksMessage = blocksMessageIn(all, session, requestSequence);
    const before = lines.length;
    list('messages', all, message => {
      const title = isJsonObject(message) ? messageTitle(message) : 'message';
      return message === all[blocksMessage] ? beside([title, wording.say(sentence('the active blocks'))]) : title;
    });
    blocks.push(...blockLines(lines, before, session, blocksMessage));
  }
  return { text: `${lines.join('\n')}\n`, blocks };
}

/** The same as JSON, one member a line. */
export function requestJson({ text }: RequestText): string {
  const request = requestOf(text);
  return request ? `${JSON.stringify(request, undefined, 2)}\n` : text;
}

function headLines(
  session: PanelSession,
  requestSequence: number,
  { hash, content }: RequestText,
  wording: Wording,
): readonly string[] {
  const { say, time } = wording;
  const request = session.state.requests.get(requestSequence - 1);
  const title = say(sentence('Request {0} of {1}', requestSequence, sessionName(session)));
  const hashes = content === 'hashes' ? [`  ${say(sentence('Hashes stand in place of its content.'))}`] : [];
  if (!request) {
    return [title, `  sha256: ${hash}`, ...hashes];
  }
  const { sealed, receipt, turn, step } = request;
  return [
    title,
    `  ${say(sentence('sealed: {0}, turn {1}, step {2}', time(sealed.time), turn, step))}`,
    `  sha256: ${hash}`,
    `  ${say(sentence('size: {0}, messages: {1}', bytesText(wording, sealed.bytes), sealed.messages))}`,
    ...(sealed.sizes ? [`  ${say(sentence('tokens: {0}', sizesText(sealed.sizes, wording)))}`] : []),
    `  ${say(sentence('receipt: {0}', receiptText(receipt, wording)))}`,
    `  ${say(sentence('answer: {0}', answerText(request, wording)))}`,
    ...hashes,
  ];
}

/** Absent where the text is no JSON object. */
function requestOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last message of the prefix; a log that does not say where that ends leaves the first message of its looks. Below 0: none. */
function blocksMessageIn(messages: readonly Json[], session: PanelSession, requestSequence: number): number {
  const length = session.state.requests.get(requestSequence - 1)?.sealed.prefixMessages;
  const last = messages[(length ?? 0) - 1];
  return length === undefined
    ? messages.findIndex(message => isBlocksMessage(message, session))
    : last !== undefined && isBlocksMessage(last, session)
      ? length - 1
      : -1;
}

/** The adapter composes one message of the blocks; it begins with the tag of the first of them. */
function isBlocksMessage(message: Json, { state }: PanelSession): boolean {
  if (!isJsonObject(message) || message['role'] !== 'user') {
    return false;
  }
  const text = firstText(message['content'] ?? null);
  const [, id] = /^<!--BLOCK_ID:([a-z0-9_-]+)-->[\r\n]/.exec(text) ?? [];
  return id !== undefined && state.lifecycle.blocks.has(id);
}

function firstText(content: Json): string {
  const first = isJsonArray(content) ? content[0] : content;
  const text = isJsonObject(first ?? null) ? (first as JsonObject)['text'] : first;
  return typeof text === 'string' ? text : '';
}

/** In the blocks' message alone: elsewhere the same line is ordinary content. */
function blockLines(
  lines: readonly string[],
  from: number,
  { state }: PanelSession,
  blocksMessage: number,
): readonly BlockLine[] {
  if (blocksMessage < 0) {
    return [];
  }
  const start = lines.findIndex((line, index) => index >= from && line.startsWith(`  [${blocksMessage + 1}] `));
  const end = lines.findIndex((line, index) => index > start && line.startsWith('  ['));
  const found: BlockLine[] = [];
  for (let line = start + 1; line < (end < 0 ? lines.length : end); line++) {
    const text = (lines[line] ?? '').trim();
    const [, blockId] = /^<!--BLOCK_ID:([a-z0-9_-]+)-->$/.exec(text) ?? [];
    if (blockId !== undefined && text === tagLine('opening', blockId) && state.lifecycle.blocks.has(blockId)) {
      found.push({ blockId, line });
    }
  }
  return found;
}

function sizeText(value: Json, wording: Wording): string {
  return bytesText(wording, utf8Length(JSON.stringify(value)));
}

function plain(line: string): string {
  return line.replace(OBEYED, code => `\\u{${(code.codePointAt(0) ?? 0).toString(16)}}`);
}
