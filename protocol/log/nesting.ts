import { isContainer } from '../request/json.ts';

/**
 * Levels of lists and objects in a line of a log. A message may have 1,000, and its event stands around it; what writes JSON
 * has no room for many more.
 */
export const MAX_LEVELS = 1_100;

/** Whether a value has more levels than a line of a log may have. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let levels = 0; level.length > 0; levels++) {
    if (levels === MAX_LEVELS) {
      return true;
    }
    level = level.flatMap(container => Object.values(container).filter(isContainer));
  }
  return false;
}
