import type { JsonObject } from '../../../protocol/request/json.ts';
import { toJson, toJsonObject } from '../hostJson.ts';
import type { MessagePart, OpencodeMessage, ToolPart, ToolState } from './opencodeApi.ts';

/** What opencode puts in place of the output of a call that it cleared itself. */
const CLEARED = '[Old tool result content cleared]';

/** Parts that no model sees. */
const unseen = new Set(['step-start', 'snapshot', 'patch', 'retry', 'agent']);

/** Members of parts that are for opencode alone. */
const bookkeeping = new Set(['id', 'messageID', 'sessionID', 'time', 'snapshot', 'tokens', 'cost']);

/**
 * What the model sees of a message, with what tells how an answer ended. What opencode keeps for its own views is left out: it
 * changes between requests, and holds tool outputs a second time.
 */
export function seenMessage({ info, parts }: OpencodeMessage): JsonObject {
  const { id, role, error, summary } = info;
  return {
    info: {
      id,
      role,
      ...(error && { error: error.name ?? 'error' }),
      ...(role === 'assistant' && summary === true && { summary: true }),
    },
    parts: parts.flatMap(part => seenPart(part) ?? []),
  };
}

export function isToolPart(part: MessagePart): part is ToolPart {
  return part.type === 'tool';
}

function seenPart(part: MessagePart): JsonObject | undefined {
  if (unseen.has(part.type) || part.ignored === true) {
    return undefined;
  }
  if (isToolPart(part)) {
    return { type: 'tool', tool: part.tool, callID: part.callID, state: seenState(part.state) };
  }
  return Object.fromEntries(Object.entries(toJsonObject(part)).filter(([name]) => !bookkeeping.has(name)));
}

function seenState(state: ToolState): JsonObject {
  const { status, input, error } = state;
  const seen = { status, input: toJson(input ?? {}) };
  if (status !== 'completed') {
    const output = outputOfInterrupted(state);
    return { ...seen, ...(output === undefined ? error !== undefined && { error } : { output }) };
  }
  if (state.time?.compacted !== undefined) {
    return { ...seen, output: CLEARED };
  }
  const { output = '', attachments = [] } = state;
  return {
    ...seen,
    output,
    ...(attachments.length > 0 && { attachments: attachments.map(attachment => toJson(attachment)) }),
  };
}

/** What a call had printed when it was interrupted, which opencode sends as its output. */
export function outputOfInterrupted({ status, metadata }: ToolState): string | undefined {
  const output = status === 'error' && metadata?.['interrupted'] === true ? metadata['output'] : undefined;
  return typeof output === 'string' ? output : undefined;
}
