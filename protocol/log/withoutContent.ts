import type { Sha256 } from '../request/hashing.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { digestOf, isDigest } from './digest.ts';
import { hashedHeader, hashedLabels, hashedMessage, hashedTool } from './hashedContent.ts';
import { type SessionEventType, vocabulary } from './sessionEvents.ts';

type WithoutContent = (data: JsonObject, sha256: Sha256) => Json;

/** Types that hold content. What each lets through is named; what it does not name is content. */
const strippers: ReadonlyMap<string, WithoutContent> = new Map<SessionEventType, WithoutContent>([
  ['block/activated', block],
  ['turn/start', hashedLabels],
  ['turn/end', hashedLabels],
  ['request/header', ({ header, reason = null }, sha256) => ({ header: headerOf(header, sha256), reason })],
  ['request/header-delta', delta],
  ['request/body', data => only(data, ['requestSequence', 'bytes', 'sha256', 'encoding', 'decoded'])],
  ['host/message', hostMessage],
  ['user/message', contentAnd()],
  ['assistant/message', contentAnd('turn', 'step', 'usage')],
  ['tool/result', contentAnd('turn', 'step', 'callId', 'isError')],
  ['context/message', contentAnd('after')],
  ['steering/message', contentAnd('turn')],
  ['assistant/chunk', chunk],
  ['tool/call', toolCall],
  ['prompt/blocked', digestOf],
  ['todo/write', digestOf],
  ['budget/edit', budgetEdit],
  ['budget/tier1-set', data => withEmpty(data, ['objective', 'identity', 'outputFormat', 'constraints'])],
  ['budget/tier1-updated', data => withEmpty(data, ['old', 'new'])],
  ['budget/contradiction', data => withEmpty(data, ['original', 'derived'])],
]);

const known: ReadonlySet<string> = new Set(Object.keys(vocabulary));

/**
 * An event as a watcher gets it: content is replaced by its digest, everything that `reduce` reads stays, and `readEvent`
 * takes it. Changed parts of a header are there with their digests, but do not fold: what a request held is asked for by
 * its number. Gives the event itself where it holds no content.
 */
export function withoutContent(event: LogEvent, sha256: Sha256): LogEvent {
  const { type, data } = event;
  const strip = strippers.get(type);
  if (strip && isJsonObject(data)) {
    return { ...event, data: strip(data, sha256) };
  }
  // Of an unknown type nothing is known, so everything is content.
  return strip || !known.has(type) ? { ...event, data: digestOf(data, sha256) } : event;
}

function block(data: JsonObject): Json {
  return Object.fromEntries(Object.entries(data).filter(([member]) => member !== 'text'));
}

function headerOf(header: Json | undefined, sha256: Sha256): Json {
  const { config, system, tools, messagePrefix } = isJsonObject(header) ? header : {};
  const digests = hashedHeader(
    {
      config: isJsonObject(config) ? config : {},
      system,
      tools: listOf(tools),
      messagePrefix: objectsOf(messagePrefix),
    },
    sha256,
  );
  return { ...digests };
}

/** Lines of a system have no digest that would fold: what stays is how many they are, and one digest of them all. */
function delta({ config, system, tools, messagePrefix }: JsonObject, sha256: Sha256): Json {
  return {
    ...(isJsonObject(system) && { system: systemDelta(system, sha256) }),
    ...(isJsonObject(tools) && { tools: toolsDelta(tools, sha256) }),
    ...(config !== undefined && { config: hashedLabels(config, sha256) }),
    ...(messagePrefix !== undefined && {
      messagePrefix: objectsOf(messagePrefix).map(message => hashedMessage(message, sha256)),
    }),
  };
}

function systemDelta({ keepStart = 0, keepEnd = 0, insert, replace }: JsonObject, sha256: Sha256): Json {
  if (replace !== undefined) {
    return { replace: replace === '' ? '' : digestOf(replace, sha256) };
  }
  const lines = listOf(insert).filter(line => typeof line === 'string');
  return { keepStart, keepEnd, insert: { lines: lines.length, ...digestOf(lines.join('\n'), sha256) } };
}

function toolsDelta({ added, removed, changed }: JsonObject, sha256: Sha256): Json {
  const hashed = (tools: Json | undefined) => listOf(tools).map(tool => hashedTool(tool, sha256));
  return { added: hashed(added), removed: listOf(removed), changed: hashed(changed) };
}

function hostMessage({ message = null, ...rest }: JsonObject, sha256: Sha256): Json {
  return {
    message: isJsonObject(message) ? hashedMessage(message, sha256) : message,
    ...only(rest, ['units', 'cause', 'after', 'channel', 'source', 'failed']),
  };
}

function chunk(data: JsonObject, sha256: Sha256): Json {
  return { ...only(data, ['turn', 'step']), chunk: digestOf(data['chunk'] ?? data, sha256) };
}

/** `arguments` is JSON text in a log, and stays that. */
function toolCall({ arguments: given = '', ...rest }: JsonObject, sha256: Sha256): Json {
  return { ...only(rest, ['turn', 'step', 'callId', 'name']), arguments: JSON.stringify(digestOf(given, sha256)) };
}

/** One digest for the whole content; a message without content shows the model nothing, and goes on to show nothing. */
function contentAnd(...members: readonly string[]): WithoutContent {
  return ({ content, source, ...rest }, sha256) => {
    const blocks = listOf(content);
    const [first] = blocks;
    return {
      content: blocks.length === 0 ? [] : [digestOf(blocks.length === 1 && isDigest(first) ? first : blocks, sha256)],
      ...(source !== undefined && { source: hashedLabels(source, sha256) }),
      ...only(rest, members),
    };
  };
}

/** An edit without a message takes things out of the view; one whose message is not kept puts something in. */
function budgetEdit(data: JsonObject): Json {
  const facts = Object.entries(data).filter(([member]) => member !== 'summary');
  return Object.fromEntries(facts.map(([member, value]) => [member, member === 'message' ? null : value]));
}

/** Texts of these members become empty; a member that is absent stays so, since that says something. */
function withEmpty(data: JsonObject, members: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(data).map(([member, value]) => [member, members.includes(member) ? emptied(value) : value]),
  );
}

function emptied(value: Json): Json {
  return isJsonArray(value) ? objectsOf(value).map(item => ({ ...item, text: '' })) : '';
}

function only(data: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    members.flatMap(member => (Object.hasOwn(data, member) ? [[member, data[member] ?? null]] : [])),
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value ?? null) ? (value as readonly Json[]) : [];
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).filter(isJsonObject);
}
