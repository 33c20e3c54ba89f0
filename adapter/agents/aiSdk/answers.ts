import type { Usage } from '../../../protocol/log/sessionEvents.ts';
import type { Ended } from '../../sessionTypes.ts';

/** From a result's, or a stream's last part's, `finishReason` and `usage`. */
export function endedBy(finished: object): Ended {
  const reason = member(finished, 'finishReason');
  const unified = typeof reason === 'string' ? reason : member(reason, 'unified');
  const usage = usageOf(member(finished, 'usage'));
  const outcome = unified === 'error' || unified === 'interrupted' ? 'failed' : 'completed';
  const callsTools = unified === 'tool-calls' ? true : unified === 'stop' ? false : undefined;
  return { outcome, ...(usage && { usage }), ...(callsTools !== undefined && { callsTools }) };
}

/** Absent where the provider reported nothing. */
function usageOf(usage: unknown): Usage | undefined {
  const inputTokens = member(usage, 'inputTokens');
  const input = tokens(member(inputTokens, 'total'));
  const output = tokens(member(member(usage, 'outputTokens'), 'total'));
  const cacheRead = tokens(member(inputTokens, 'cacheRead'));
  const cacheWrite = tokens(member(inputTokens, 'cacheWrite'));
  const found = {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
