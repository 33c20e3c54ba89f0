import type { Usage } from '../protocol/log/sessionEvents.ts';
import { usage as usageShape } from '../protocol/log/sessionEvents.ts';

/**
 * Those of a provider's numbers that are numbers of tokens. Providers leave some out, send null, and a broken one must not
 * keep an answer from being logged. Absent where there is none.
 */
export function plausibleUsage(usage: Usage | undefined): Usage | undefined {
  const members = Object.entries(usageShape.members).flatMap(([name, { maybe: shape }]) => {
    const value = usage?.[name as keyof Usage];
    return value === undefined || shape.fault(value, name) ? [] : [[name, value] as const];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
