import { foldRequestHeader } from './foldRequestHeader.ts';
import type { RequestMessage } from './header.ts';
import type { Json } from './json.ts';
import type { LogEvent } from './logEvent.ts';
import { headerEnd, requestOf, stepFault } from './requestOfStep.ts';
import { surfaceOf } from './surface.ts';

/** A request as it was built: the members of its config, then `system` and `tools` where there are any, then `messages`. */
export interface RebuiltRequest {
  readonly [configMember: string]: Json;
  readonly messages: readonly RequestMessage[];
}

/** Members of a request that no config may have, or the request could be read in two ways. */
const NOT_CONFIG = ['system', 'tools', 'messages'];

/**
 * The request of the step whose `step/start` has this seq, deep-frozen, from the log alone (request-log 1): the header as of
 * the step, its prefix, and the history before the step. Throws `CorruptLogError` when there is no such step, when no
 * header was logged for it, or when what it needs of the log cannot be read.
 */
export function rebuildRequest(events: readonly LogEvent[], stepStartSeq: number): RebuiltRequest {
  const fault = stepFault(events, stepStartSeq);
  const header = foldRequestHeader(events.slice(0, headerEnd(events, stepStartSeq)));
  const misplaced = header && NOT_CONFIG.find(member => Object.hasOwn(header.config, member));
  if (misplaced) {
    throw fault(`the config of this step has the member "${misplaced}", which is no config`);
  }
  const { config, ...others } = requestOf(header, surfaceOf(events.slice(0, stepStartSeq)), fault);
  return Object.freeze({ ...config, ...others });
}
