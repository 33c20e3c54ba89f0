import { isContainer } from './json.ts';

/**
 * A deep-frozen copy of a JSON value: what a log holds cannot be changed through what was read from it. Values may be
 * nested to any depth, and `__proto__` is a member like any other.
 */
export function frozenCopy<Value>(value: Value): Value {
  if (!isContainer(value)) {
    return value;
  }
  const root = shallowCopy(value);
  const pending = [root];
  for (let target = pending.pop(); target; target = pending.pop()) {
    for (const name of Object.keys(target)) {
      const item = target[name];
      if (isContainer(item)) {
        const copy = shallowCopy(item);
        // Every name is an own member by now, `__proto__` too: this sets no prototype.
        target[name] = copy;
        pending.push(copy);
      }
    }
    Object.freeze(target);
  }
  return root as Value;
}

/** The value itself where it is deep-frozen, so that nobody can change it; else a deep-frozen copy. */
export function asFrozen<Value>(value: Value): Value {
  return isDeepFrozen(value) ? value : frozenCopy(value);
}

function isDeepFrozen(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (isContainer(item)) {
      if (!Object.isFrozen(item)) {
        return false;
      }
      for (const name of Object.keys(item)) {
        pending.push(item[name]);
      }
    }
  }
  return true;
}

/** A list is copied and filled by the names of its places. */
function shallowCopy(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Array.isArray(value) ? (value.slice() as unknown as Record<string, unknown>) : { ...value };
}
