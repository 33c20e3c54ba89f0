import type { Outcome, Usage } from '../../../protocol/log/sessionEvents.ts';
import type { Ended } from '../../sessionTypes.ts';
import type { MessageInfo } from './opencodeApi.ts';

/** How opencode says that an answer ended; absent while it is on its way. */
export function endedBy(info: MessageInfo): Ended | undefined {
  const { error, finish, time } = info;
  if (error) {
    return error.name === 'MessageAbortedError' ? { outcome: 'aborted' } : failedBy(error.data);
  }
  if (time?.completed === undefined) {
    return undefined;
  }
  const outcome: Outcome = finish === undefined ? 'aborted' : finish === 'error' ? 'failed' : 'completed';
  const usage = usageOf(info.tokens);
  const callsTools = finish === 'tool-calls' ? true : finish === 'stop' ? false : undefined;
  return { outcome, ...(usage && { usage }), ...(callsTools !== undefined && { callsTools }) };
}

/** Of what a provider said of its refusal. */
const LONGEST_ERROR = 4_000;

/** With what the provider said, but where opencode may try again: such an error may speak of the tokens of a minute. */
function failedBy(data: unknown): Ended {
  const said = [member(data, 'message'), member(data, 'responseBody')];
  const texts =
    member(data, 'isRetryable') === true ? [] : said.filter(text => typeof text === 'string' && text !== '');
  return { outcome: 'failed', ...(texts.length > 0 && { error: texts.join('\n').slice(0, LONGEST_ERROR) }) };
}

/** opencode's `input` leaves out what was cached, and its `output` what was thought; absent where nothing was reported. */
function usageOf(tokens: unknown): Usage | undefined {
  const cache = member(tokens, 'cache');
  const [fresh, spoken, thought] = [amount(tokens, 'input'), amount(tokens, 'output'), amount(tokens, 'reasoning')];
  const [cacheRead, cacheWrite] = [amount(cache, 'read'), amount(cache, 'write')];
  const input = fresh + cacheRead + cacheWrite;
  const output = spoken + thought;
  return input + output === 0 ? undefined : { input, output, cacheRead, cacheWrite };
}

function amount(value: unknown, name: string): number {
  const found = member(value, name);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : 0;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
