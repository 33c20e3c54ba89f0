import type { Fault } from './corruptLogError.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';
import { refuseUnknownMembers } from './members.ts';

/** A changed system text as the lines that stay at both ends and those that come between (request-log 5.1). */
export type LinesDelta = {
  readonly keepStart: number;
  readonly keepEnd: number;
  readonly insert: readonly string[];
};

/** Lines where both sides are text or absent, else the whole new value; `{replace: ""}` is "back to absence". */
export type SystemDelta = LinesDelta | { readonly replace: Json };

/** The change between two systems that differ; `undefined` is absence. */
export function diffSystem(prev: Json | undefined, next: Json | undefined): SystemDelta {
  return isText(prev) && isText(next)
    ? diffLines(linesOf(prev), linesOf(next))
    : { replace: next === undefined ? '' : next };
}

/** The system after a change as it stands in a log. Throws what `fault` makes when the change does not fit `prev`. */
export function applySystemDelta(prev: Json | undefined, delta: Json, fault: Fault): Json | undefined {
  if (!isJsonObject(delta)) {
    throw fault('its system part is no object');
  }
  const { replace } = delta;
  if (replace !== undefined) {
    refuseUnknownMembers(delta, ['replace'], 'system', fault);
    return replace;
  }
  if (!isText(prev)) {
    throw fault('its system part changes lines, but the system before it is no text');
  }
  return applyLines(linesOf(prev), linesDelta(delta, fault), fault);
}

function isText(system: Json | undefined): system is string | undefined {
  return system === undefined || typeof system === 'string';
}

/** request-log 5.1: absence is zero lines; only U+000A ends a line. */
function linesOf(system: string | undefined): readonly string[] {
  return system === undefined || system === '' ? [] : system.split('\n');
}

/** The trim at the start is greedy and wins; the trim at the end uses what is left on both sides. */
function diffLines(prev: readonly string[], next: readonly string[]): LinesDelta {
  const shorter = Math.min(prev.length, next.length);
  let keepStart = 0;
  while (keepStart < shorter && prev[keepStart] === next[keepStart]) {
    keepStart++;
  }
  let keepEnd = 0;
  while (keepEnd < shorter - keepStart && prev[prev.length - 1 - keepEnd] === next[next.length - 1 - keepEnd]) {
    keepEnd++;
  }
  return { keepStart, keepEnd, insert: next.slice(keepStart, next.length - keepEnd) };
}

function linesDelta(delta: JsonObject, fault: Fault): LinesDelta {
  refuseUnknownMembers(delta, ['keepStart', 'keepEnd', 'insert'], 'system', fault);
  const { keepStart, keepEnd, insert } = delta;
  if (!isCount(keepStart) || !isCount(keepEnd)) {
    throw fault('keepStart and keepEnd of its system part must be whole numbers from 0');
  }
  if (!isJsonArray(insert) || !insert.every(isLine)) {
    throw fault('insert of its system part must be a list of single lines');
  }
  return { keepStart, keepEnd, insert };
}

function applyLines(prev: readonly string[], { keepStart, keepEnd, insert }: LinesDelta, fault: Fault): string {
  if (keepStart + keepEnd > prev.length) {
    throw fault(`its system part keeps ${keepStart} and ${keepEnd} lines of a text of ${prev.length}`);
  }
  return [...prev.slice(0, keepStart), ...insert, ...prev.slice(prev.length - keepEnd)].join('\n');
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isLine(value: Json): value is string {
  return typeof value === 'string' && !value.includes('\n');
}
