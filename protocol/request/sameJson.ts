import { isContainer, type Json } from './json.ts';

/**
 * Compares two JSON values. With `ordered` members it answers what comparing their JSON texts answers (request-log 3.2);
 * with `unordered` members the order of members says nothing. Values may be nested to any depth.
 */
export function sameJson(left: Json, right: Json, members: 'ordered' | 'unordered'): boolean {
  const pending: (readonly [unknown, unknown])[] = [[left, right]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) {
      continue;
    }
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) {
      return false;
    }
    const names = Object.keys(a);
    const others = Object.keys(b);
    if (names.length !== others.length) {
      return false;
    }
    for (const [place, name] of names.entries()) {
      if (members === 'ordered' ? others[place] !== name : !Object.hasOwn(b, name)) {
        return false;
      }
      pending.push([a[name], b[name]]);
    }
  }
  return true;
}
