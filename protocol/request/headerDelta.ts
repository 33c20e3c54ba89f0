import { type Fault, faultOutsideLog } from './corruptLogError.ts';
import {
  canonicalHeader,
  type RawRequestHeader,
  type RequestHeader,
  type RequestMessage,
  sameConfig,
  samePrefix,
  sameSystem,
  sameTools,
} from './header.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';
import { refuseUnknownMembers } from './members.ts';
import { applySystemDelta, diffSystem, type SystemDelta } from './systemDelta.ts';
import { applyToolsDelta, diffTools, type ToolsDelta } from './toolsDelta.ts';

/** The parts that changed, at least one (request-log 4). */
export type HeaderDelta = {
  readonly system?: SystemDelta;
  readonly tools?: ToolsDelta;
  /** The whole next config (request-log 5.3). */
  readonly config?: JsonObject;
  /** The whole next prefix; `[]` is "back to absence" (request-log 5.4). */
  readonly messagePrefix?: readonly RequestMessage[];
};

/** What changed from one header to the next (request-log 6); absent exactly when `headerEquals`. */
export function diffHeader(prev: RawRequestHeader, next: RawRequestHeader): HeaderDelta | undefined {
  const a = canonicalHeader(prev);
  const b = canonicalHeader(next);
  const delta: HeaderDelta = {
    ...(!sameSystem(a, b) && { system: diffSystem(a.system, b.system) }),
    ...(!sameTools(a, b) && { tools: diffTools(a.tools ?? [], b.tools ?? []) }),
    ...(!sameConfig(a, b) && { config: b.config }),
    ...(!samePrefix(a, b) && { messagePrefix: b.messagePrefix ?? [] }),
  };
  return Object.keys(delta).length > 0 ? delta : undefined;
}

/**
 * The header after a change, in canonical form (request-log 6). It shares unchanged parts with `prev`, and neither
 * argument is changed. Throws `CorruptLogError` when the change is malformed or does not fit `prev`.
 */
export function applyHeaderDelta(prev: RawRequestHeader, delta: HeaderDelta): RequestHeader {
  return applyLoggedDelta(prev, delta, faultOutsideLog);
}

/** `applyHeaderDelta` for data of which nothing is known but that it was read from a log. */
export function applyLoggedDelta(prev: RawRequestHeader, delta: unknown, fault: Fault): RequestHeader {
  if (!isJsonObject(delta)) {
    throw fault('its data is no object');
  }
  refuseUnknownMembers(delta, ['system', 'tools', 'config', 'messagePrefix'], 'data', fault);
  const { system, tools, config, messagePrefix } = delta;
  if (Object.keys(delta).length === 0) {
    throw fault('it changes nothing');
  }
  const { config: oldConfig, system: oldSystem, tools: oldTools, messagePrefix: oldPrefix } = canonicalHeader(prev);
  return canonicalHeader({
    config: config === undefined ? oldConfig : loggedConfig(config, fault),
    system: system === undefined ? oldSystem : applySystemDelta(oldSystem, system, fault),
    tools: tools === undefined ? oldTools : applyToolsDelta(oldTools ?? [], tools, fault),
    messagePrefix: messagePrefix === undefined ? oldPrefix : loggedPrefix(messagePrefix, fault),
  });
}

/** A config that was read from a log. */
export function loggedConfig(config: Json | undefined, fault: Fault): JsonObject {
  if (!isJsonObject(config)) {
    throw fault('its config is no object');
  }
  return config;
}

/** A prefix that was read from a log. */
export function loggedPrefix(prefix: Json, fault: Fault): readonly RequestMessage[] {
  if (!isJsonArray(prefix) || !prefix.every(isJsonObject)) {
    throw fault('its messagePrefix is no list of messages');
  }
  return prefix;
}
