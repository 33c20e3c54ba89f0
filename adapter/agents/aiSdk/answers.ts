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

/** Of what a provider said of its refusal. */
const LONGEST_ERROR = 4_000;

/**
 * How a call ended that failed with this error. What the provider said goes with it, but where the call may be tried again as it
 * is: such an error may speak of too many tokens and mean those of a minute.
 */
export function failedBy(error: unknown, signal: AbortSignal | undefined): Ended {
  if (signal?.aborted) {
    return { outcome: 'aborted' };
  }
  if (member(error, 'isRetryable') === true) {
    return { outcome: 'failed' };
  }
  const said = [typeof error === 'string' ? error : member(error, 'message'), member(error, 'responseBody')];
  const texts = said.filter(text => typeof text === 'string' && text !== '');
  return { outcome: 'failed', ...(texts.length > 0 && { error: texts.join('\n').slice(0, LONGEST_ERROR) }) };
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
