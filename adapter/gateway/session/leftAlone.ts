import { scanDeclarations } from '../../../protocol/lifecycle/scan.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { GatewayApi, SplitBody } from '../apis/gatewayApi.ts';
import type { AgentIdentity } from './agentIdentity.ts';
import { withHostTexts, withSystemTexts } from './hostTexts.ts';

export interface Judged {
  readonly identity: AgentIdentity;
  readonly api: GatewayApi;
  readonly body: JsonObject;
  readonly split: SplitBody;
  /** Whole paths of the context files of its session. */
  readonly sources: Iterable<string>;
}

/**
 * Whether a call is none of the conversation: a title, a summary, a look whether there is quota. Known agents ask for those
 * without tools. It goes on as it came, so it is left alone only where nothing in it could have a lifetime: no tool result, no
 * tag line in any text, and no copy of a context file. A summary of a whole conversation is none of these: it is a request like any
 * other, in which a tombstone stays a tombstone and a discarded block stays away.
 */
export function isLeftAlone({ identity, api, body, split, sources }: Judged): boolean {
  if (!identity.known || split.offersTools || (split.tools?.length ?? 0) > 0) {
    return false;
  }
  const units = split.messages.flatMap(message => api.format.describe(message).units);
  if (units.some(unit => unit.class === 'tool-result' || unit.texts.some(hasTag))) {
    return false;
  }
  return !hostTextsOf(body, split).some(text => hasTag(text) || shows(text, sources));
}

function hasTag(text: string): boolean {
  return text.includes('<!--') && scanDeclarations(text).length > 0;
}

/**
 * Where comments are taken out of a copy, only the name of the file shows that it is one. Any file that is shown so keeps a call from
 * being left alone: its agent may say later that it is one of its instructions.
 */
function shows(text: string, sources: Iterable<string>): boolean {
  if (/^Contents of .+?\.md \(/mu.test(text)) {
    return true;
  }
  if (text.includes('Contents of ')) {
    for (const path of sources) {
      if (text.includes(`Contents of ${path} (`)) {
        return true;
      }
    }
  }
  return false;
}

function hostTextsOf(body: JsonObject, { list, messages, systemMember }: SplitBody): readonly string[] {
  const texts: string[] = [];
  const see = (text: string): string => {
    texts.push(text);
    return text;
  };
  const system = systemMember === undefined ? undefined : body[systemMember];
  if (system !== undefined) {
    withSystemTexts(system, see);
  }
  const items = body[list];
  for (const item of Array.isArray(items) ? (items as readonly JsonObject[]) : messages) {
    withHostTexts(item, see);
  }
  return texts;
}
