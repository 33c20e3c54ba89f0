import type { Provider } from '../../adapter/gateway/apis/gatewayApi.ts';
import type { AgentId } from '../../local/gatewayAgents.ts';
import type { Upstreams } from './settings.ts';

/** Which agent a command line starts, and behind which word its own arguments begin. */
export interface KnownAgent {
  readonly id: AgentId;
  readonly words: number;
}

const PROGRAMS: ReadonlyMap<string, AgentId> = new Map([
  ['claude', 'claude-code'],
  ['claude-code', 'claude-code'],
  ['codex', 'codex'],
  ['gemini', 'gemini-cli'],
  ['gemini-cli', 'gemini-cli'],
]);
/** Programs that start the one that they are told of. */
const RUNNERS = new Set(['node', 'npx', 'bunx', 'pnpx']);
const ENDING = /\.(?:exe|cmd|[cm]?js)$/i;

/** `other` where it is none that is known by its name. */
export function agentOf(words: readonly string[]): KnownAgent {
  const [first = '', second = ''] = words;
  const direct = PROGRAMS.get(programName(first));
  if (direct) {
    return { id: direct, words: 1 };
  }
  const started = RUNNERS.has(programName(first)) ? packageOf(second) : undefined;
  return started ? { id: started, words: 2 } : { id: 'other', words: 1 };
}

/** The last part of a path, without the ending of a program. */
function programName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? '').replace(ENDING, '');
}

/** Of a script's path or a package's name, such as `…/node_modules/@openai/codex/bin/codex.js` and `@openai/codex@1.2.3`. */
function packageOf(word: string): AgentId | undefined {
  const [, name = word] = /node_modules[\\/](@[^\\/]+[\\/][^\\/]+)/.exec(word) ?? [];
  return PROGRAMS.get(programName(name.replace(/(?<=.)@[^\\/]*$/, '')));
}

/** Variables that lead an agent to a provider by itself, past the gateway. */
const PAST: Readonly<Record<AgentId, readonly string[]>> = {
  'claude-code': ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
  codex: [],
  'gemini-cli': ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
  other: [],
};

/** In which a person may have told agents another address. */
const BASE_URLS: Readonly<Record<string, Provider>> = {
  ANTHROPIC_BASE_URL: 'anthropic',
  OPENAI_BASE_URL: 'openai',
  GOOGLE_GEMINI_BASE_URL: 'gemini',
};

const OWN_ADDRESSES = [
  'https://api.anthropic.com',
  'https://api.openai.com/v1',
  'https://generativelanguage.googleapis.com',
];

export interface AgentPlace {
  /** Of the agent, for whose start `variables` will be set anew. */
  readonly id: AgentId;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly upstreams: Upstreams;
}

/**
 * Why requests of an agent would not go where its person means them to go: past the gateway, or, behind it, to another address
 * than today. A sentence each.
 */
export function detours({ id, env, upstreams }: AgentPlace, variables: readonly string[]): readonly string[] {
  const past = PAST[id]
    .filter(name => !['', '0', 'false', undefined].includes(env[name]))
    .map(name => `${name} is set, and with it the agent sends its requests past the gateway. Unset it.`);
  const elsewhere = variables.flatMap(name => {
    const provider = BASE_URLS[name];
    const given = env[name]?.replace(/\/+$/, '') ?? '';
    if (provider === undefined || upstreams[provider] !== undefined || given === '' || OWN_ADDRESSES.includes(given)) {
      return [];
    }
    return `${name} is set already. Say where the gateway should send such requests, with --upstream ${provider}=ADDRESS (what stands before /v1) or in config.json.`;
  });
  return [...past, ...elsewhere];
}

/** Arguments with which Codex talks to somebody else than `openai_base_url` says. */
const CODEX_DETOUR = /^(?:--oss$|--local-provider\b|(?:--config=|-c)?(?:openai_base_url|model_provider)\s*=)/;

/** The argument of a person with which the agent would not use the gateway. */
export function argumentPast(id: AgentId, own: readonly string[]): string | undefined {
  return id === 'codex' ? own.find(word => CODEX_DETOUR.test(word)) : undefined;
}
