import { faultAt } from './corruptLogError.ts';
import { deriveMessages } from './deriveMessages.ts';
import { foldRequestHeader } from './foldRequestHeader.ts';
import type { RequestMessage } from './header.ts';
import type { Json } from './json.ts';
import { type LogEvent, typeOf } from './logEvent.ts';

/** A request as it was built: the members of its config, then `system` and `tools` where there are any, then `messages`. */
export interface RebuiltRequest {
  readonly [configMember: string]: Json;
  readonly messages: readonly RequestMessage[];
}

/** A step's header event stands before any of these (request-log 4). */
const HEADER_IS_WRITTEN = new Set([
  'assistant/chunk',
  'assistant/message',
  'step/start',
  'step/end',
  'turn/start',
  'turn/end',
]);

/** Members of a request that no config may have, or the request could be read in two ways. */
const NOT_CONFIG = ['system', 'tools', 'messages'];

/**
 * The request of the step whose `step/start` has this seq, deep-frozen, from the log alone (request-log 1): the header as of
 * the step, its prefix, and the history before the step. Throws `CorruptLogError` when there is no such step, when no
 * header was logged for it, or when what it needs of the log cannot be read.
 */
export function rebuildRequest(events: readonly LogEvent[], stepStartSeq: number): RebuiltRequest {
  const step = events[stepStartSeq];
  const fault = faultAt(stepStartSeq, step);
  if (!step || typeOf(step) !== 'step/start' || step.seq !== stepStartSeq) {
    throw fault('no step starts here');
  }
  const header = foldRequestHeader(events.slice(0, headerEnd(events, stepStartSeq)));
  if (!header) {
    throw fault('no header was logged for this step');
  }
  const { config, system, tools, messagePrefix = [] } = header;
  const misplaced = NOT_CONFIG.find(member => Object.hasOwn(config, member));
  if (misplaced) {
    throw fault(`the config of this step has the member "${misplaced}", which is no config`);
  }
  return Object.freeze({
    ...config,
    ...(system !== undefined && { system }),
    ...(tools && { tools }),
    messages: Object.freeze([...messagePrefix, ...deriveMessages(events.slice(0, stepStartSeq))]),
  });
}

/** The first event after a step's start that its header event cannot follow. */
function headerEnd(events: readonly LogEvent[], stepStart: number): number {
  const length = events.slice(stepStart + 1).findIndex(event => HEADER_IS_WRITTEN.has(typeOf(event) ?? ''));
  return length === -1 ? events.length : stepStart + 1 + length;
}
