/** How one agent is told to use the gateway. */
export interface AgentSetup {
  readonly id: AgentId;
  /** As its makers call it. */
  readonly name: string;
  /** What a person types to start it; absent where that is not known. */
  readonly command?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Before its own arguments. */
  readonly args: readonly string[];
}

export const AGENT_IDS = ['claude-code', 'codex', 'gemini-cli', 'other'] as const;

export type AgentId = (typeof AGENT_IDS)[number];

/** `powershell` is what Windows has. */
export type Shell = 'posix' | 'powershell';

/** In which `gateway hook` finds the gateway. */
export const GATEWAY_VARIABLE = 'CONTEXT_LIFECYCLE_GATEWAY';

/** A name that a person may give a session, for the path of an address. */
const SESSION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function isSessionName(name: string): boolean {
  return SESSION_NAME.test(name);
}

/** Where a gateway is reached, each with its token. */
export interface GatewayAddresses {
  readonly address: string;
  /** For hooks of agents alone; it stands in no command line. */
  readonly hookAddress: string;
}

/**
 * How to start an agent so that it sends its requests to the gateway. `session` tells sessions of agents apart that send nothing by
 * which it could be done.
 */
export function agentSetup(id: AgentId, { address, hookAddress }: GatewayAddresses, session: string): AgentSetup {
  const named = `${address}/s/${session}`;
  switch (id) {
    case 'claude-code':
      return {
        id,
        name: 'Claude Code',
        command: 'claude',
        env: { ANTHROPIC_BASE_URL: `${address}/anthropic`, [GATEWAY_VARIABLE]: hookAddress },
        args: [],
      };
    case 'codex':
      return {
        id,
        name: 'Codex',
        command: 'codex',
        env: {},
        // Codex takes what is no TOML for a text as it stands, so that no shell has to keep quotes.
        args: ['-c', `openai_base_url=${address}/openai/v1`],
      };
    case 'gemini-cli':
      return {
        id,
        name: 'Gemini CLI',
        command: 'gemini',
        env: { GOOGLE_GEMINI_BASE_URL: `${named}/gemini` },
        args: [],
      };
    case 'other':
      return {
        id,
        name: 'Other agents',
        env: {
          ANTHROPIC_BASE_URL: `${named}/anthropic`,
          OPENAI_BASE_URL: `${named}/openai/v1`,
          GOOGLE_GEMINI_BASE_URL: `${named}/gemini`,
        },
        args: [],
      };
  }
}

/**
 * The lines that a person pastes into a shell: variables, and the command where it needs arguments. Nothing in an address and in a
 * name needs quotes in any shell.
 */
export function shellLines(setup: AgentSetup, shell: Shell): readonly string[] {
  const variables = Object.entries(setup.env).map(([name, value]) =>
    shell === 'posix' ? `export ${name}=${value}` : `$env:${name} = '${value}'`,
  );
  const command = commandLine(setup);
  return setup.args.length > 0 && command !== undefined ? [...variables, command] : variables;
}

/** What a person types, in any shell; absent where that is not known. */
export function commandLine({ command, args }: AgentSetup): string | undefined {
  return command === undefined ? undefined : [command, ...args].join(' ');
}
