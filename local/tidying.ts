import { applyRetention, type Retention } from './retention.ts';

/** Milliseconds in which a folder is looked through once: a gateway opens many sessions, and each look reads every log. */
const PAUSE = 60_000;

/** When each folder may be looked through again, by `performance.now()`. */
const next = new Map<string, number>();

/**
 * Applies the retention to the logs of a folder, unless this process does so or did so in the last minute. Never rejects: what cannot be
 * removed now is looked at again by a later session. False where nothing was to be done.
 */
export async function tidyLogs(folder: string, retention: Retention, now = performance.now()): Promise<boolean> {
  if (now < (next.get(folder) ?? 0)) {
    return false;
  }
  next.set(folder, now + PAUSE);
  await applyRetention(folder, retention).catch(() => undefined);
  return true;
}
