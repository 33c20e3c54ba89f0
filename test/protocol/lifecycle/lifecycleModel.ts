import type { JsonObject } from '../../../protocol/request/json.ts';

/**
 * Seed 1 once more: slow, from the start for each request, and as near to the words of the protocol as it can be. It
 * shares no code with the session, so that only what both read out of the words can be equal.
 */

export interface ModelRule {
  readonly class: string;
  readonly pattern: string;
  readonly may: readonly string[];
}

interface ModelBlock {
  readonly id: string;
  readonly text: string;
  readonly from: string;
  active: boolean;
  readonly lost: string[];
}

/** A message of the host, and whether it is an answer that failed. */
export interface ModelMessage {
  readonly message: JsonObject;
  readonly failed: boolean;
}

export interface Model {
  readonly rules: readonly ModelRule[];
  readonly blocks: ModelBlock[];
  /** First and last text by class and name. */
  readonly sources: Record<string, { readonly first: string; last: string }>;
  transcript: ModelMessage[];
  /** Directives that were processed. */
  readonly done: string[];
  readonly admitted: string[];
  readonly consumed: string[];
  /** Every audit of a block, in order. */
  readonly audits: string[];
}

export function newModel(rules: readonly ModelRule[]): Model {
  return { rules, blocks: [], sources: {}, transcript: [], done: [], admitted: [], consumed: [], audits: [] };
}

function isAllowed(model: Model, sourceClass: string, source: string, right: string, isLoaded: boolean): boolean {
  if (sourceClass === 'summary' || sourceClass === 'handoff') {
    return false;
  }
  for (const rule of model.rules) {
    const expression = rule.pattern
      .split('*')
      .map(part => part.replace(/[.]/g, '\\.'))
      .join('(.|\n)*');
    if (rule.class === sourceClass && new RegExp(`^${expression}$`).test(source)) {
      const exact = !rule.pattern.includes('*');
      const trusted = ['plugin', 'host-workflow', 'editor', 'user'].includes(sourceClass);
      const enough =
        right === 'ephemeral' ||
        exact ||
        (right === 'define' && (trusted || sourceClass === 'context-file')) ||
        (right === 'discard' && trusted && !isLoaded);
      return rule.may.includes(right) && enough;
    }
  }
  return false;
}

/** Lines with their ends. */
const linesOf = (text: string): readonly string[] => text.match(/[^\r\n]*(\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
const bare = (line: string): string => line.replace(/[\r\n]+$/, '');
const idOf = (line: string, tag: string): string | undefined =>
  new RegExp(`^<!--${tag}:([a-z0-9_-]+)-->$`).exec(bare(line))?.[1];

interface Found {
  readonly id: string;
  readonly line: number;
  readonly text: string;
}

/** V1: no nesting, no ID twice, closing equal to opening. */
function definitionsOf(text: string): readonly Found[] {
  const lines = linesOf(text);
  const opened = lines.flatMap(line => idOf(line, 'BLOCK_ID') ?? []);
  const found: Found[] = [];
  let start = -1;
  let spoilt = false;
  for (const [index, line] of lines.entries()) {
    const opening = idOf(line, 'BLOCK_ID');
    const closing = idOf(line, '/BLOCK_ID');
    if (opening !== undefined) {
      spoilt = start >= 0;
      start = start >= 0 ? start : index;
    } else if (closing !== undefined && start >= 0) {
      const id = idOf(lines[start] as string, 'BLOCK_ID') as string;
      if (closing !== id) {
        spoilt = true;
      } else {
        if (!spoilt && opened.filter(other => other === id).length === 1) {
          found.push({ id, line: start + 1, text: lines.slice(start, index + 1).join('') });
        }
        start = -1;
        spoilt = false;
      }
    }
  }
  return found;
}

const discardsOf = (text: string): readonly { readonly id: string; readonly line: number }[] =>
  linesOf(text).flatMap((line, index) => {
    const id = idOf(line, 'DISCARD_BLOCK');
    return id === undefined ? [] : [{ id, line: index + 1 }];
  });

/** Lines count on from text to text. */
const discardsOfAll = (texts: readonly string[]): readonly { readonly id: string; readonly line: number }[] =>
  texts.flatMap((text, place) => {
    const before = texts.slice(0, place).flatMap(linesOf).length;
    return discardsOf(text).map(({ id, line }) => ({ id, line: before + line }));
  });

function discard(model: Model, id: string, allowed: boolean, line: number | string): void {
  const block = model.blocks.find(other => other.id === id);
  const outcome = !allowed
    ? 'discard/denied'
    : !block
      ? 'discard/unknown'
      : block.active
        ? 'block/discarded'
        : 'discard/repeated';
  model.audits.push(`${outcome} ${id} ${line}`);
  if (allowed && block) {
    block.active = false;
  }
}

export function modelLoad(model: Model, sourceClass: string, source: string, text: string): void {
  const key = `${sourceClass} ${source}`;
  const known = model.sources[key];
  if (known?.last === text) {
    return;
  }
  if (known) {
    known.last = text;
  } else {
    model.sources[key] = { first: text, last: text };
  }
  if (known?.first === text) {
    return;
  }
  for (const { id, line, text: body } of definitionsOf(text)) {
    const taken = model.blocks.find(block => block.id === id);
    if (!isAllowed(model, sourceClass, source, 'define', true)) {
      model.audits.push(`block/denied ${id} ${line}`);
    } else if (!taken) {
      model.blocks.push({ id, text: body, from: key, active: true, lost: [] });
      model.audits.push(`block/activated ${id} ${line}`);
    } else if (taken.from !== key && !taken.lost.includes(key)) {
      taken.lost.push(key);
      model.audits.push(`block/conflict ${id} ${line}`);
    }
  }
  const allowed = isAllowed(model, sourceClass, source, 'discard', true);
  for (const { id, line } of discardsOf(text)) {
    if (!model.done.includes(`${key} ${line} ${id}`)) {
      model.done.push(`${key} ${line} ${id}`);
      discard(model, id, allowed, line);
    }
  }
}

export function modelControl(model: Model, sourceClass: string, source: string, text: string): void {
  for (const { id, line } of discardsOf(text)) {
    discard(model, id, isAllowed(model, sourceClass, source, 'discard', false), line);
  }
}

export function modelDiscard(model: Model, id: string): void {
  discard(model, id, isAllowed(model, 'editor', 'editor', 'discard', false), '-');
}

interface ModelUnit {
  readonly class: string;
  readonly source: string;
  readonly texts: readonly string[];
  readonly content: unknown;
  readonly name: string;
  readonly withTombstone: (text: string) => void;
}

type Block = { type: string; text?: string; toolCallId?: string; content?: unknown };

const textsOf = (content: unknown): readonly string[] =>
  typeof content === 'string'
    ? [content]
    : (content as Block[]).flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));

/** All texts as one, each starting on a line of its own. */
function joined(texts: readonly string[]): string {
  let all = '';
  for (const text of texts) {
    all += all !== '' && text !== '' && !/[\r\n]$/.test(all) ? `\n${text}` : text;
  }
  return all;
}

/** The units of a copy of a message, each with a way to put a tombstone into that copy. */
function unitsOf(message: { role: string; content: unknown }): readonly ModelUnit[] {
  const shaped = (was: unknown, text: string): unknown => (typeof was === 'string' ? text : [{ type: 'text', text }]);
  const whole = (sourceClass: string): ModelUnit => ({
    class: sourceClass,
    source: sourceClass,
    texts: textsOf(message.content),
    content: message.content,
    name: `${message.role} ${joined(textsOf(message.content)) || JSON.stringify(message.content)}`,
    withTombstone: text => {
      message.content = shaped(message.content, text);
    },
  });
  if (message.role === 'assistant') {
    return [whole('assistant')];
  }
  if (typeof message.content === 'string' || !(message.content as Block[]).some(({ type }) => type === 'tool-result')) {
    return [whole('user')];
  }
  return (message.content as Block[]).map(block => ({
    class: 'tool-result',
    source: 'tool',
    texts: textsOf(block.content),
    content: block.content,
    name: `call ${block.toolCallId}`,
    withTombstone: text => {
      block.content = shaped(block.content, text);
    },
  }));
}

/** What the model sees: the messages, then the text of the blocks' message. */
export function modelView(model: Model): {
  readonly messages: readonly unknown[];
  readonly blocks: string | undefined;
} {
  const copies = structuredClone(model.transcript) as {
    message: { role: string; content: unknown };
    failed: boolean;
  }[];
  const names: string[] = [];
  const units = copies.map(({ message }) =>
    unitsOf(message).map(unit => {
      names.push(unit.name);
      return { ...unit, name: `${unit.name} ${names.filter(name => name === unit.name).length}` };
    }),
  );
  for (const unit of units.flat()) {
    for (const { id, line } of discardsOfAll(unit.texts)) {
      if (!model.done.includes(`${unit.name} ${line} ${id}`)) {
        model.done.push(`${unit.name} ${line} ${id}`);
        discard(model, id, isAllowed(model, unit.class, unit.source, 'discard', false), line);
      }
    }
  }
  for (const [index, list] of units.entries()) {
    const answered = copies.slice(index + 1).some(({ message, failed }) => message.role === 'assistant' && !failed);
    for (const unit of list) {
      const marked = unit.texts.flatMap(linesOf).some(line => bare(line) === '<!--ephemeral-->');
      if (!marked || !isAllowed(model, unit.class, unit.source, 'ephemeral', false)) {
        continue;
      }
      if (answered) {
        if (!model.consumed.includes(unit.name)) {
          model.consumed.push(unit.name);
        }
        const text = typeof unit.content === 'string' ? unit.content : JSON.stringify(unit.content);
        const bytes = new TextEncoder().encode(text).length;
        unit.withTombstone(`[EPHEMERAL:Output omitted after consumption;original_bytes=${bytes}]`);
      } else if (!model.admitted.includes(unit.name) && !model.consumed.includes(unit.name)) {
        model.admitted.push(unit.name);
      }
    }
  }
  const active = model.blocks
    .filter(block => block.active)
    .map(({ text }) => (/[\r\n]$/.test(text) ? text : `${text}\n`));
  return { messages: copies.map(({ message }) => message), blocks: active.length > 0 ? active.join('') : undefined };
}
