import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import { notUnderstood, type SplitBody } from './gatewayApi.ts';

/** The messages of a body. Throws `UnreadableBodyError` where the member holds no list of objects. */
export function listOf(body: JsonObject, member: string): readonly JsonObject[] {
  const list = body[member];
  if (!isJsonArray(list)) {
    throw notUnderstood(`its "${member}" is no list`);
  }
  const stranger = list.findIndex(item => !isJsonObject(item));
  if (stranger >= 0) {
    throw notUnderstood(`item ${stranger + 1} of its "${member}" is no object`);
  }
  return list as readonly JsonObject[];
}

/** The parts of a body, and all its other members as `config`. */
export function splitInto(
  body: JsonObject,
  parts: Pick<SplitBody, 'list' | 'messages'> &
    Partial<Pick<SplitBody, 'leading' | 'system' | 'systemMember' | 'offersTools'>>,
): SplitBody {
  const tools = body['tools'];
  const taken = new Set<string | undefined>([parts.list, parts.systemMember, isJsonArray(tools) ? 'tools' : undefined]);
  return {
    leading: 0,
    ...parts,
    ...(isJsonArray(tools) ? { tools } : {}),
    config: Object.fromEntries(Object.entries(body).filter(([name]) => !taken.has(name))),
  };
}

/** The system prompt where a member holds it; one that is null stays with the other members. */
export function systemIn(
  body: JsonObject,
  ...members: readonly string[]
): { readonly system?: Json; readonly systemMember?: string } {
  for (const systemMember of members) {
    const system = body[systemMember];
    if (system !== undefined && system !== null) {
      return { system, systemMember };
    }
  }
  return {};
}

/** The messages of a list without those of the system, with which it begins. */
export function leadingIn(
  list: readonly JsonObject[],
  isSystem: (message: JsonObject) => boolean,
): Pick<SplitBody, 'leading' | 'messages' | 'system'> {
  const first = list.findIndex(message => !isSystem(message));
  const leading = first < 0 ? list.length : first;
  const system = list.slice(0, leading);
  return { leading, messages: list.slice(leading), ...(leading > 0 ? { system: systemOf(system) } : {}) };
}

/** The text of one plain message, so that its changes can be logged by line. */
function systemOf(messages: readonly JsonObject[]): Json {
  const [only] = messages;
  const isPlain = messages.length === 1 && only !== undefined && Object.keys(only).length === 2;
  const content = isPlain ? only['content'] : undefined;
  return typeof content === 'string' ? content : messages;
}
