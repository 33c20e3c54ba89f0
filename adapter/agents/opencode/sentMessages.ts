import type { BegunRequest } from '../../sessionTypes.ts';
import { fromJson } from '../hostJson.ts';
import type { MessageInfo, MessagePart, OpencodeMessage, ToolPart } from './opencodeApi.ts';
import { isToolPart, outputOfInterrupted } from './seenMessage.ts';

/** A request's messages in opencode's form: its own objects where they are unchanged, and copies of the rest. */
export function sentMessages(request: BegunRequest, given: readonly OpencodeMessage[]): readonly OpencodeMessage[] {
  const { messages, origins, hosts } = request;
  const model = given.findLast(({ info }) => info.role === 'user')?.info;
  return messages.map((message, index) => {
    const own = given[hosts[index] ?? -1];
    const view = fromJson(message) as OpencodeMessage;
    if (!own) {
      return madeMessage(view, `${index}`, model);
    }
    return origins[index] === undefined ? changedMessage(own, view) : own;
  });
}

/** A message of ours, with what opencode's messages have. */
function madeMessage({ parts }: OpencodeMessage, name: string, like: MessageInfo | undefined): OpencodeMessage {
  const sessionID = like?.sessionID ?? '';
  const id = `msg_context_lifecycle_${name}`;
  const info = { ...like, id, role: 'user', sessionID };
  const named = parts.map((part, index) => ({
    id: `prt_context_lifecycle_${name}_${index}`,
    messageID: id,
    sessionID,
    synthetic: true,
    ...part,
  }));
  return { info, parts: named };
}

function changedMessage(own: OpencodeMessage, view: OpencodeMessage): OpencodeMessage {
  if (own.info.role !== 'assistant') {
    const { id: messageID, sessionID } = own.info;
    const place = { id: `prt_context_lifecycle_${messageID}`, messageID, sessionID };
    return { info: own.info, parts: view.parts.map(part => ({ ...place, ...part })) };
  }
  const results = new Map(view.parts.filter(isToolPart).map(part => [part.callID, part]));
  return { info: own.info, parts: own.parts.map(part => changedPart(part, results)) };
}

function changedPart(part: MessagePart, results: ReadonlyMap<string, ToolPart>): MessagePart | ToolPart {
  const result = isToolPart(part) ? results.get(part.callID) : undefined;
  if (!(isToolPart(part) && result)) {
    return part;
  }
  const { output, error } = result.state;
  const interrupted = outputOfInterrupted(part.state);
  const { attachments: _, ...state } = part.state;
  if (output === (interrupted ?? state.output) && error === (interrupted === undefined ? state.error : undefined)) {
    return part;
  }
  if (interrupted !== undefined) {
    return { ...part, state: { ...state, metadata: { interrupted: true, output } } };
  }
  return {
    ...part,
    state: { ...state, ...(output === undefined ? { error: error ?? '' } : { output }), metadata: {} },
  };
}
