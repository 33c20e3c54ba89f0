import { frozenJson } from '../protocol/lifecycle/messageCopy.ts';
import { hashedMessage } from '../protocol/log/hashedContent.ts';
import type { ToAppend } from '../protocol/request/appended.ts';
import type { JsonObject } from '../protocol/request/json.ts';
import { injection } from '../protocol/request/turns.ts';
import { sha256 } from './hashing.ts';
import type { SessionLog } from './sessionLog.ts';

/** Logs a message that is none of the host's, and gives it for the views to come. Throws `UnreadableMessageError`. */
export function injectMessage(
  { log, hashes }: { readonly log: SessionLog; readonly hashes: boolean },
  message: JsonObject,
  source: string,
  channel: NonNullable<ToAppend['channel']>,
): ToAppend {
  const frozen = frozenJson(message, 'the injected message') as JsonObject;
  const key = `appended:${log.nextSeq}`;
  const after = log.history.lastUnit;
  const logged = hashes ? hashedMessage(frozen, sha256) : frozen;
  const data = { message: logged, units: [key], after, channel, source };
  for (const event of injection(log.state, { type: 'host/message', data, surfaceOp: 'append' }, { kind: source })) {
    log.append(event);
  }
  // Context of a tool or a prompt stands behind the results or the prompt, which only the next view will show.
  return { message: frozen, key, channel, source, ...(channel === 'inject' && { after }) };
}
