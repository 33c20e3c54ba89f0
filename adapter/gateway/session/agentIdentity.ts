import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import type { GatewayApi } from '../apis/gatewayApi.ts';
import type { GatewayCall } from '../gatewayCall.ts';

/** Who asks, and in which conversation. All of it are labels of bounded length: what a header says is never a file's name. */
export interface AgentIdentity {
  /** `claude-code`, `codex` …; the name of the API where nothing says who asks. */
  readonly agent: string;
  readonly agentVersion?: string;
  /** Whether `agent` is one that is known here. */
  readonly known: boolean;
  /** Absent where neither the request nor its path names one. */
  readonly session?: string;
  /** The session whose sub-agent asks. */
  readonly parent?: string;
}

/** What each agent says of itself in `user-agent` or `originator`; the version follows a slash. */
const AGENTS: readonly (readonly [agent: string, name: RegExp])[] = [
  ['claude-code', /^claude-(?:cli|code)\b/i],
  ['codex', /^codex/i],
  ['gemini-cli', /^gemini-?cli\b/i],
  ['opencode', /\bopencode\b/i],
  ['pi', /^pi(?:-coding-agent)?\//i],
];

/** Longer names are told apart by their hash. */
const MOST_CHARACTERS = 200;

/** specs/agents.md, section 4: how each agent tells its sessions apart. */
export function identityOf(
  call: Pick<GatewayCall, 'headers' | 'sessionName'>,
  body: JsonObject,
  api: GatewayApi,
): AgentIdentity {
  const { headers, sessionName } = call;
  const header = (name: string): string | undefined => label(headers[name]);
  const { agent, version } = agentOf(headers);
  const who = {
    agent: agent ?? api.name,
    known: agent !== undefined,
    ...(version !== undefined && { agentVersion: version }),
  };
  const own = claudeSession(header, body) ?? codexSession(header, headers, body) ?? openCodeSession(header);
  // any program may set a cache key, and for more than one conversation: a name in the path comes before it
  const session = label(sessionName) ?? label(body['prompt_cache_key']);
  return { ...who, ...(own ?? (session === undefined ? {} : { session })) };
}

type Named = Pick<AgentIdentity, 'parent'> & { readonly session: string };
type Header = (name: string) => string | undefined;

function claudeSession(header: Header, body: JsonObject): Named | undefined {
  const session = header('x-claude-code-session-id') ?? sessionOfUserId(member(body['metadata'], 'user_id'));
  const agent = header('x-claude-code-agent-id');
  return session === undefined ? undefined : childOf(session, agent);
}

/** `{"session_id": …}` as JSON, or in older versions `user_…_session_UUID`. */
function sessionOfUserId(userId: Json | undefined): string | undefined {
  if (typeof userId !== 'string') {
    return undefined;
  }
  if (!userId.startsWith('{')) {
    return label(/_session_([0-9a-f-]{36})$/i.exec(userId)?.[1]);
  }
  try {
    return label(member(JSON.parse(userId) as Json, 'session_id'));
  } catch {
    return undefined;
  }
}

/** A sub-agent has the session of its parent and a thread of its own. */
function codexSession(header: Header, headers: IncomingHttpHeaders, body: JsonObject): Named | undefined {
  const turn = parsed(headers['x-codex-turn-metadata']);
  const client = body['client_metadata'];
  const said = (name: string): string | undefined => label(member(turn, name)) ?? label(member(client, name));
  const session = header('session-id') ?? header('session_id') ?? said('session_id');
  const thread = header('thread-id') ?? header('thread_id') ?? said('thread_id');
  const own = thread ?? session;
  if (own === undefined) {
    return undefined;
  }
  return session !== undefined && session !== own ? { session: own, parent: session } : { session: own };
}

/** A sub-agent has an id of its own and names its parent. */
function openCodeSession(header: Header): Named | undefined {
  const session = header('x-session-id') ?? header('x-session-affinity');
  const parent = header('x-parent-session-id');
  if (session === undefined) {
    return undefined;
  }
  return parent !== undefined && parent !== session ? { session, parent } : { session };
}

function childOf(session: string, agent: string | undefined): Named {
  return agent === undefined ? { session } : { session: bounded(`${session}/${agent}`), parent: session };
}

function agentOf(headers: IncomingHttpHeaders): { readonly agent?: string; readonly version?: string } {
  for (const name of ['user-agent', 'originator']) {
    const said = label(headers[name]);
    const found = said === undefined ? undefined : AGENTS.find(([, pattern]) => pattern.test(said));
    if (said !== undefined && found) {
      const version = /\/v?(\d[\w.+-]{0,40})/.exec(said)?.[1];
      return { agent: found[0], ...(version !== undefined && { version }) };
    }
  }
  const [agent] = Object.keys(headers).flatMap(name => MARKS.find(([mark]) => name.startsWith(mark))?.[1] ?? []);
  return agent === undefined ? {} : { agent };
}

/** Headers that only one agent sends. */
const MARKS: readonly (readonly [header: string, agent: string])[] = [
  ['x-claude-code-', 'claude-code'],
  ['x-codex-', 'codex'],
  ['x-session-affinity', 'opencode'],
];

/** A name from outside as a label: one text of bounded length without control characters; absent for anything else. */
function label(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' && text.trim() !== '' ? bounded(text.trim()) : undefined;
}

function bounded(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '\ufffd');
  return plain.length > MOST_CHARACTERS ? createHash('sha256').update(text).digest('hex').slice(0, 32) : plain;
}

function parsed(text: unknown): Json | undefined {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as Json) : undefined;
  } catch {
    return undefined;
  }
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
