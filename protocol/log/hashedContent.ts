import type { Sha256 } from '../request/hashing.ts';
import { canonicalHeader, type RawRequestHeader, type RequestHeader, type RequestMessage } from '../request/header.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../request/json.ts';
import { sameJson } from '../request/sameJson.ts';
import { digestOf, isDigest } from './digest.ts';

/** Texts of a config, a source or a trigger up to this many UTF-16 code units are names and settings, longer ones content. */
const LONGEST_LABEL = 128;

/** Roles are words. */
const LONGEST_ROLE = 16;

/**
 * A message without its content: its role, and as `content` the digest of the whole message, so that any two messages that
 * differ in anything differ here too. For a `content: hashes` log, before the message is logged.
 */
export function hashedMessage(message: JsonObject, sha256: Sha256): RequestMessage {
  const { role, content } = message;
  const label = typeof role === 'string' && role.length <= LONGEST_ROLE ? { role } : {};
  const isHashed = isDigest(content) && sameJson(message, { ...label, content }, 'ordered');
  return { ...label, content: digestOf(isHashed ? content : message, sha256) };
}

/**
 * A header without its content, in canonical form: tools keep the name by which a delta finds them, and config keeps its
 * short texts. For a `content: hashes` log, before `recordHeader`, so that the log's deltas fold as ever.
 */
export function hashedHeader(header: RawRequestHeader, sha256: Sha256): RequestHeader {
  const { config, system, tools, messagePrefix } = canonicalHeader(header);
  return {
    config: hashedLabels(config, sha256) as JsonObject,
    ...(system !== undefined && { system: digestOf(system, sha256) }),
    ...(tools && { tools: tools.map(tool => hashedTool(tool, sha256)) }),
    ...(messagePrefix && { messagePrefix: messagePrefix.map(message => hashedMessage(message, sha256)) }),
  };
}

/** DESIGN, flow 2: a tool is known by `name`, else `function.name`, else `type`. */
export function hashedTool(tool: Json, sha256: Sha256): Json {
  if (!isJsonObject(tool)) {
    return digestOf(tool, sha256);
  }
  const key = toolKey(tool);
  const { sha256: hash = null, bytes = null } = tool;
  const digest = { sha256: hash, bytes };
  const isHashed = isDigest(digest) && sameJson(tool, { ...key, ...digest }, 'ordered');
  return { ...key, ...digestOf(isHashed ? digest : tool, sha256) };
}

function toolKey({ name, function: call, type }: JsonObject): JsonObject {
  if (typeof name === 'string') {
    return { name };
  }
  const called = isJsonObject(call) ? call['name'] : undefined;
  if (typeof called === 'string') {
    return { function: { name: called } };
  }
  return typeof type === 'string' ? { type } : {};
}

/** A JSON value in which every long text is a digest. Names of members stay. */
export function hashedLabels(value: Json, sha256: Sha256): Json {
  if (typeof value === 'string') {
    return value.length > LONGEST_LABEL ? digestOf(value, sha256) : value;
  }
  if (isJsonArray(value)) {
    return value.map(item => hashedLabels(item, sha256));
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hashedLabels(item, sha256)]))
    : value;
}
