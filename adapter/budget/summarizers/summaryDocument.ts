import type { CompressionPart } from '../../../protocol/budget/compression.ts';
import { isoTime } from '../../../protocol/budget/isoTime.ts';
import type { SummaryGroup, SummaryUnit } from '../../../protocol/budget/summary/summarizer.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { RECORD_SCHEMA, SUMMARY_TASK } from './summaryTask.ts';

/** Changes with whatever a program that reads the document would have to know. */
const VERSION = 1;

/** Of a longer tool result only so many code units at its start, and as many at its end, are told. */
const TOLD_OF_RESULT = 2000;

/**
 * What a program is given: the task in words, the JSON Schema of a record, and the parts. All units of a part are named by their
 * identities, and each text by its own.
 */
export function summaryDocument(parts: readonly CompressionPart[]): JsonObject {
  return {
    version: VERSION,
    task: SUMMARY_TASK,
    record: RECORD_SCHEMA,
    parts: parts.map(({ units, groups }) => ({
      units,
      groups: groups.map(group => groupJson(group, unit => ({ unit: unit.unit, ...unitJson(unit) }))),
    })),
  };
}

/** The parts alone, without identities, for a model that is told its task elsewhere. */
export function partsJson(parts: readonly CompressionPart[]): JsonObject {
  return { parts: parts.map(({ groups }) => ({ groups: groups.map(group => groupJson(group, unitJson)) })) };
}

function groupJson({ units, paths, topic }: SummaryGroup, unitOf: (unit: SummaryUnit) => JsonObject): JsonObject {
  return { units: units.map(unitOf), paths, ...(topic !== undefined && { topic }) };
}

function unitJson({ kind, text, isError, time }: SummaryUnit): JsonObject {
  return {
    kind,
    text: kind === 'tool-result' ? endsOf(text) : text,
    isError,
    ...(time !== undefined && { time: isoTime(time) }),
  };
}

function endsOf(text: string): string {
  const left = text.length - 2 * TOLD_OF_RESULT;
  return left <= 0
    ? text
    : `${text.slice(0, TOLD_OF_RESULT)}\n[… ${left} characters are left out here …]\n${text.slice(-TOLD_OF_RESULT)}`;
}
