import { isContainer, isJsonObject, type Json, type JsonObject } from '../request/json.ts';

/** Deeper values are refused: what reads them, JSON.stringify too, has no more room than that. */
const DEEPEST = 1_000;

/** What the host handed over holds what no log and no request can hold. Nothing is sent. */
export class UnreadableMessageError extends Error {
  override readonly name = 'UnreadableMessageError';
  /** Which part: `messages[3]`, `system`, `tools` … */
  readonly part: string;
  /** Where in it, as `.content[0].data`; empty for the part itself. */
  readonly path: string;
  /** What stands there, as a noun with its article. */
  readonly reason: string;

  constructor(part: string, path: string, reason: string) {
    super(
      `The request was not built, because ${part}${path} is ${reason}, which JSON cannot hold. Hand over plain JSON values.`,
    );
    this.part = part;
    this.path = path;
    this.reason = reason;
  }
}

/** The way from a message to a value in it; only written out for an error. */
interface Path {
  readonly parent: Path | undefined;
  readonly step: string | number;
  readonly depth: number;
}

/**
 * A deep-frozen copy of a host's message, which the host can no longer change. Members that are undefined, or named by
 * symbols, are dropped as JSON does. Throws `UnreadableMessageError` for whatever else does not survive JSON.
 */
export function frozenMessage(message: unknown, index: number): JsonObject {
  if (!isJsonObject(message)) {
    throw new UnreadableMessageError(`messages[${index}]`, '', `${nameOf(message)}, and no object`);
  }
  return frozenJson(message, `messages[${index}]`) as JsonObject;
}

/** The same for another part of a request, which the error calls `part`. */
export function frozenJson(value: unknown, part: string): Json {
  return copyOf(value, undefined, part);
}

function copyOf(value: unknown, path: Path | undefined, part: string): Json {
  if (typeof value === 'string') {
    return ownText(value);
  }
  if (typeof value === 'boolean' || value === null) {
    return value;
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    // JSON has no negative zero.
    return value === 0 ? 0 : value;
  }
  if (!isContainer(value) || !(Array.isArray(value) || isPlain(value))) {
    throw new UnreadableMessageError(part, writtenOut(path), nameOf(value));
  }
  const depth = (path?.depth ?? 0) + 1;
  if (depth > DEEPEST) {
    throw new UnreadableMessageError(part, writtenOut(path), `nested deeper than ${DEEPEST} levels or in itself`);
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return Object.freeze(Array.from(items, (item, step) => copyOf(item, { parent: path, step, depth }, part)));
  }
  const copy: Record<string, Json> = {};
  for (const step of Object.keys(value)) {
    const item = value[step];
    if (item !== undefined) {
      put(copy, step, copyOf(item, { parent: path, step, depth }, part));
    }
  }
  return Object.freeze(copy);
}

/** Shorter texts are never kept as a part of another one. */
const SHORTEST_PART = 13;

/**
 * A text of our own. One that was cut out of another, as tools cut their output, would keep all of that in memory, and take
 * five times as long to compare.
 */
function ownText(text: string): string {
  return text.length < SHORTEST_PART ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** `__proto__` is a member like any other. */
function put(copy: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  } else {
    copy[name] = value;
  }
}

/** An object that only holds members, in whatever realm it was made. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'number' || value === undefined || value === null) {
    return String(value);
  }
  if (typeof value !== 'object') {
    return `a ${typeof value}`;
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  const constructor: unknown = 'constructor' in value ? value.constructor : undefined;
  return typeof constructor === 'function' && constructor.name
    ? `an object of the class ${constructor.name}`
    : 'an object of a class';
}

function writtenOut(path: Path | undefined): string {
  const steps: string[] = [];
  for (let at = path; at && steps.length < 20; at = at.parent) {
    steps.unshift(typeof at.step === 'number' ? `[${at.step}]` : `.${at.step}`);
  }
  return steps.join('');
}
