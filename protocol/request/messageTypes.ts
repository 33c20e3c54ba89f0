import type { Fault } from './corruptLogError.ts';
import type { RequestMessage } from './header.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';

type Derive = (data: JsonObject, fault: Fault) => RequestMessage | undefined;

/** What each type that carries a message shows the model (request-log 2.3); `undefined` is nothing. */
const derivations: ReadonlyMap<string, Derive> = new Map<string, Derive>([
  ['user/message', (data, fault) => ({ role: 'user', content: contentOf(data, fault) })],
  ['assistant/message', assistantMessage],
  ['tool/result', toolResult],
  ['context/message', (data, fault) => wrapped('context', data, fault)],
  ['steering/message', (data, fault) => wrapped('steering', data, fault)],
  ['host/message', hostMessage],
]);

export function isMessageType(type: string): boolean {
  return derivations.has(type);
}

/** The message of one event that carries one; absent when it shows the model nothing. Throws what `fault` makes. */
export function messageOf(type: string, data: unknown, fault: Fault): RequestMessage | undefined {
  if (!isJsonObject(data)) {
    throw fault('its data is no object');
  }
  return derivations.get(type)?.(data, fault);
}

function assistantMessage(data: JsonObject, fault: Fault): RequestMessage | undefined {
  const content = contentOf(data, fault);
  // With no content it only carries usage.
  return content.length > 0 ? { role: 'assistant', content } : undefined;
}

/** `error` and `meta` never reach the model. */
function toolResult(data: JsonObject, fault: Fault): RequestMessage {
  const { callId, isError } = data;
  if (typeof callId !== 'string' || typeof isError !== 'boolean') {
    throw fault('a tool result needs a callId, which is text, and isError, which is true or false');
  }
  return {
    role: 'user',
    content: [{ type: 'tool-result', toolCallId: callId, content: contentOf(data, fault), isError }],
  };
}

/** Shows the kind of the source only: a plug-in's name is not for the model. */
function wrapped(tag: string, data: JsonObject, fault: Fault): RequestMessage {
  const { source } = data;
  const kind = isJsonObject(source) ? source['kind'] : undefined;
  if (typeof kind !== 'string') {
    throw fault('its source has no kind');
  }
  const opening = { type: 'text', text: `<${tag} source=${JSON.stringify(kind)}>` };
  return { role: 'user', content: [opening, ...contentOf(data, fault), { type: 'text', text: `</${tag}>` }] };
}

/** DESIGN, The log: a foreign agent's message, verbatim. Null takes what it replaces out of the history. */
function hostMessage({ message }: JsonObject, fault: Fault): RequestMessage | undefined {
  if (message !== null && !isJsonObject(message)) {
    throw fault('it holds no message');
  }
  return message ?? undefined;
}

function contentOf({ content }: JsonObject, fault: Fault): readonly Json[] {
  if (!isJsonArray(content) || !content.every(isJsonObject)) {
    throw fault('its content is no list of blocks');
  }
  return content;
}
