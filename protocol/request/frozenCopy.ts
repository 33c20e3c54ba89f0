import { isContainer } from './json.ts';

/** What this file made: frozen to its depth and reachable by nobody who could change it, so it is never copied again. */
const made = new WeakSet();

/**
 * A deep-frozen copy of a JSON value: what a log holds cannot be changed through what was read from it. A value that
 * came from here is given back as it is. Values may be nested to any depth, and `__proto__` is a member like any other.
 */
export function frozenCopy<Value>(value: Value): Value {
  if (!needsCopy(value)) {
    return value;
  }
  const root = emptyLike(value);
  const pending: (readonly [object, Record<string, unknown>])[] = [[value, root]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [source, target] = pair;
    for (const [name, item] of Object.entries(source) as [string, unknown][]) {
      if (needsCopy(item)) {
        const copy = emptyLike(item);
        addMember(target, name, copy);
        pending.push([item, copy]);
      } else {
        addMember(target, name, item);
      }
    }
    made.add(Object.freeze(target));
  }
  return root as Value;
}

function needsCopy(value: unknown): value is object {
  return isContainer(value) && !made.has(value);
}

function emptyLike(value: object): Record<string, unknown> {
  // A list is filled by the names of its places.
  return Array.isArray(value) ? ([] as unknown as Record<string, unknown>) : {};
}

function addMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    // Assigning to it would set the prototype.
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[name] = value;
  }
}
