import { isContainer, type Json } from './json.ts';

/** Deeper values are refused: what writes them, JSON.stringify too, has no more room than that. */
const DEEPEST = 1_000;

/** What a value holds that does not survive JSON unchanged. */
export interface JsonFault {
  /** Where, as `[0].content`; empty for the value itself. */
  readonly path: string;
  /** What stands there, as a part of a sentence. */
  readonly found: string;
}

/**
 * A deep-frozen copy of a value that survives JSON unchanged (request-log 2.2), which nobody can change through the
 * original; of any other value its first fault. Only own enumerable members named by text are looked at; `__proto__` is one
 * like any other. Reading members is all that it does with the value: a getter that throws lets its error through.
 */
export function strictCopy(value: unknown): { readonly copy: Json } | { readonly fault: JsonFault } {
  try {
    return { copy: copyOf(value, '', 0) };
  } catch (error) {
    if (error instanceof Refusal) {
      return { fault: { path: error.path, found: error.found } };
    }
    throw error;
  }
}

class Refusal extends Error {
  readonly path: string;
  readonly found: string;

  constructor(path: string, found: string) {
    super();
    this.path = path;
    this.found = found;
  }
}

function copyOf(value: unknown, path: string, depth: number): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) {
    return value;
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    // JSON has no negative zero.
    return value === 0 ? 0 : value;
  }
  if (!isContainer(value)) {
    throw new Refusal(path, typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`);
  }
  if (depth === DEEPEST) {
    throw new Refusal(path, `nested deeper than ${DEEPEST} levels, or in itself`);
  }
  if (Array.isArray(value)) {
    // Array.from gives the holes of a sparse list as undefined, which is refused.
    return Object.freeze(Array.from(value, (item, place) => copyOf(item, `${path}[${place}]`, depth + 1)));
  }
  if (!isPlain(value)) {
    throw new Refusal(path, 'an object of a class');
  }
  return Object.freeze(
    Object.fromEntries(Object.keys(value).map(name => [name, copyOf(value[name], `${path}.${name}`, depth + 1)])),
  );
}

/** An object that only holds members, in whatever realm it was made. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
