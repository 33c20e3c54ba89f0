import { inRepository } from '../../../scripts/build/paths.ts';
import type { SpokenAnswer } from '../../scriptedModel/answer.ts';
import type { AgentHome } from './agentHome.ts';

/** A real agent and how a person asks it something. */
export interface AgentProgram {
  readonly id: 'claude-code' | 'codex' | 'gemini-cli';
  /** For the titles of tests. */
  readonly name: string;
  readonly provider: 'anthropic' | 'openai' | 'gemini';
  /** The context file that it loads by itself. */
  readonly contextFile: string;
  /** Whole path first. */
  readonly program: readonly string[];
  /** Variables beside PATH and HOME. */
  env(home: AgentHome): Readonly<Record<string, string>>;
  /** Writes the agent's own settings. */
  setUp(home: AgentHome): void;
  /** Its arguments for one prompt. */
  ask(prompt: string): readonly string[];
  /** The same in the last session. */
  goOn(prompt: string): readonly string[];
  /** An answer that has a file shown so that its lines are lines of the result. */
  shows(id: string, file: string): SpokenAnswer;
  /** All that it has stored of its sessions. */
  transcripts(home: AgentHome): string;
}

export const claude: AgentProgram = {
  id: 'claude-code',
  name: 'Claude Code 2.1.332',
  provider: 'anthropic',
  contextFile: 'CLAUDE.md',
  // the package's own program is a script that fetches this one
  program: [inRepository('test/agents/node_modules/@anthropic-ai/claude-code-linux-x64/claude')],
  env: ({ home }) => ({
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    ANTHROPIC_API_KEY: 'sk-dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  setUp() {},
  ask: prompt => ['-p', prompt, '--model', 'claude-sonnet-4-5', '--allowedTools', 'Agent,Bash,Read,Skill'],
  goOn: prompt => ['--continue', ...claude.ask(prompt)],
  shows: (id, file) => runs(id, `cat ${file}`),
  transcripts: home => home.stored('.claude/projects', '.jsonl'),
};

/** Claude Code runs a command. */
export function runs(id: string, command: string): SpokenAnswer {
  return { toolCalls: [{ id, name: 'Bash', arguments: { command, description: 'as asked' } }] };
}

const codexTriple = 'x86_64-unknown-linux-musl';

/** All that a prompt needs, and nothing that asks other hosts. */
const codexSettings = `
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
apps = false
plugins = false
`;

/** With the model that it takes by itself, whose one tool takes programs. */
export const codex: AgentProgram = {
  id: 'codex',
  name: 'Codex 0.171.0',
  provider: 'openai',
  contextFile: 'AGENTS.md',
  program: [inRepository(`test/agents/node_modules/@openai/codex-linux-x64/vendor/${codexTriple}/bin/codex`)],
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, CODEX_API_KEY: 'dummy' }),
  setUp: home => home.writeForUser('.codex/config.toml', codexSettings),
  ask: prompt => ['exec', '--skip-git-repo-check', prompt],
  goOn: prompt => ['exec', 'resume', '--last', '--skip-git-repo-check', prompt],
  shows: (id, file) => executes(id, `text((await tools.exec_command({ cmd: 'cat ${file}' })).output)`),
  transcripts: home => home.stored('.codex/sessions', '.jsonl'),
};

/** Codex executes a program. */
export function executes(id: string, input: string): SpokenAnswer {
  return { toolCalls: [{ id, name: 'exec', arguments: {}, input }] };
}

/** With a model that calls functions, as all did before. */
export const codexFunctions: AgentProgram = {
  ...codex,
  name: 'Codex 0.171.0 with an older model',
  ask: prompt => [...codex.ask(prompt), '--model', 'gpt-5.5'],
  goOn: prompt => [...codex.goOn(prompt), '--model', 'gpt-5.5'],
  shows: (id, file) => ({ toolCalls: [{ id, name: 'exec_command', arguments: { cmd: `cat ${file}` } }] }),
};

export const gemini: AgentProgram = {
  id: 'gemini-cli',
  name: 'Gemini CLI 0.61.0',
  provider: 'gemini',
  contextFile: 'GEMINI.md',
  program: [process.execPath, inRepository('test/agents/all/node_modules/@google/gemini-cli/bundle/gemini.js')],
  env: () => ({ GEMINI_API_KEY: 'dummy' }),
  setUp: home =>
    home.writeForUser(
      '.gemini/settings.json',
      JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    ),
  ask: prompt => ['--yolo', '--skip-trust', '-m', 'gemini-2.5-flash', '-p', prompt],
  goOn: prompt => ['--resume', 'latest', ...gemini.ask(prompt)],
  shows: (id, file) => ({ toolCalls: [{ id, name: 'read_file', arguments: { file_path: file } }] }),
  transcripts: home => home.stored('.gemini/tmp', '.jsonl'),
};
