import { isJsonArray, isJsonObject } from '../../../protocol/request/json.ts';
import type { Answer } from './askInTime.ts';
import { NoSummaryError } from './noSummaryError.ts';

/** How models wrap what they were asked for. */
const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*)\n```$/i;

/**
 * The answers in `{"summaries": [...]}`, one for each part. A fence around it is taken away. Throws `NoSummaryError` where the
 * text is something else, or nobody can tell which summary belongs to which part.
 */
export function readAnswers(text: string, parts: number): readonly Answer[] {
  const trimmed = text.trim();
  const value = jsonOf(FENCED.exec(trimmed)?.[1] ?? trimmed);
  const summaries = isJsonObject(value) ? (value['summaries'] ?? null) : null;
  if (!isJsonArray(summaries)) {
    throw new NoSummaryError('its answer has no list of summaries');
  }
  if (summaries.length !== parts) {
    throw new NoSummaryError(`its answer has ${summaries.length} summaries instead of ${parts}`);
  }
  return summaries.map(summary => ({ value: summary }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NoSummaryError('its answer is no JSON');
  }
}
