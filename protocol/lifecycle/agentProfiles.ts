import type { Message } from './text.ts';

/** `enforced`: the model gets what V1 says. `observed`: the session knows, the agent sends it all the same. */
export type Level = 'enforced' | 'observed' | 'impossible';

/** One thing of V1 at one agent. */
export interface Ability {
  readonly level: Level;
  /** Where it holds, or what keeps it from holding; absent where there is nothing to add. */
  readonly note?: Message;
}

/** An agent that takes HTML comments out of a file before the model, or any plug-in, sees it. */
export interface StrippedComments {
  /** The first version that does it. */
  readonly since: string;
  /** Which comments go, in words that end a sentence. */
  readonly stripped: string;
  /** The last parts of a path, with `/`; `*` stands for any file name. Matched at the end of a path. */
  readonly files: readonly string[];
}

/** What an agent puts before text of a tool, so that a tag there is no exact line any more. */
export interface LinePrefix {
  /** `file`: before each line of a file that a tool reads. `shell`: before the first line of what a command prints. */
  readonly where: 'file' | 'shell';
  /** As it stands before the first line. */
  readonly text: string;
}

/** What can be done at one agent, as far as it was measured. */
export interface AgentProfile {
  /** As its sessions name it. */
  readonly agent: string;
  readonly name: string;
  /** The versions that it was measured with, the newest first. */
  readonly versions: readonly string[];
  /** Files that it loads as instructions and shows to the model by itself, by their paths in a project. */
  readonly files: readonly string[];
  /** What stands beside the agent. */
  readonly by: 'adapter' | 'gateway' | 'example';
  readonly blocks: Ability;
  readonly ephemerals: Ability;
  readonly discards: Ability;
  readonly comments?: StrippedComments;
  readonly prefixes: readonly LinePrefix[];
  /** How it is known what left: the SHA-256 of the body, unit by unit, or not at all. */
  readonly receipt: 'sha256' | 'units' | 'units-where-reported' | 'not-reported';
  /** What happens where a request cannot be built: none leaves, or a setting may let it go on as it came. */
  readonly failure: 'closed' | 'closed-or-open';
  /** What cannot be done, whatever stands beside the agent. */
  readonly limits: readonly Message[];
}

const say = (template: string): Message => ({ template, values: [] });
const ENFORCED: Ability = { level: 'enforced' };
const IN_A_COPY: Ability = {
  level: 'enforced',
  note: say(
    'Blocks are taken out of the copy that the agent shows; where that copy is not found, the source is observed only.',
  ),
};
const IN_ITS_MESSAGE: Ability = {
  level: 'enforced',
  note: say('Blocks are taken out of the message in which the agent shows the files that it loaded.'),
};
const GATEWAY = { by: 'gateway', receipt: 'sha256', failure: 'closed-or-open' } as const;
const LEFT_ALONE = say('Requests for titles and for counts of tokens are passed on as they are.');

/**
 * Every agent that was run beside a scripted model, with what was seen. The language server, the panel and docs/agents.md say what
 * stands here and nothing else.
 */
export const AGENT_PROFILES: readonly AgentProfile[] = [
  {
    agent: 'claude-code',
    name: 'Claude Code',
    versions: ['2.1.332', '2.1.197'],
    files: ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'],
    ...GATEWAY,
    blocks: IN_A_COPY,
    ephemerals: ENFORCED,
    discards: IN_A_COPY,
    // Files that a CLAUDE.md pulls in with `@path` lose their comments too, but their names say nothing.
    comments: {
      since: '2.1.72',
      stripped: 'comments that stand on lines of their own, outside fenced code',
      files: ['CLAUDE.md', 'CLAUDE.local.md', '.claude/rules/**/*.md'],
    },
    prefixes: [{ where: 'file', text: '1\t' }],
    limits: [say('Its hooks see no request before it leaves: only the gateway can change one.'), LEFT_ALONE],
  },
  {
    agent: 'codex',
    name: 'Codex',
    versions: ['0.171.0'],
    files: ['AGENTS.md', 'AGENTS.override.md'],
    ...GATEWAY,
    blocks: IN_A_COPY,
    ephemerals: ENFORCED,
    discards: IN_A_COPY,
    prefixes: [],
    limits: [say('Its hook before a request sees no messages: only the gateway can change one.'), LEFT_ALONE],
  },
  {
    agent: 'gemini-cli',
    name: 'Gemini CLI',
    versions: ['0.61.0'],
    files: ['GEMINI.md'],
    ...GATEWAY,
    blocks: IN_A_COPY,
    ephemerals: ENFORCED,
    discards: IN_A_COPY,
    prefixes: [{ where: 'shell', text: 'Output: ' }],
    limits: [
      say('Its hook before a request sees no results of tools: only the gateway can change one.'),
      say('It does not name its session: the address that it was started with does.'),
      LEFT_ALONE,
    ],
  },
  {
    agent: 'opencode',
    name: 'opencode',
    versions: ['1.18.33'],
    files: ['AGENTS.md'],
    by: 'adapter',
    blocks: ENFORCED,
    ephemerals: ENFORCED,
    discards: ENFORCED,
    prefixes: [{ where: 'file', text: '1: ' }],
    receipt: 'not-reported',
    failure: 'closed',
    limits: [say('What leaves can be seen only where it runs behind the gateway.')],
  },
  {
    agent: 'pi',
    name: 'pi',
    versions: ['1.6.0', '0.73.1'],
    files: ['AGENTS.md'],
    by: 'adapter',
    blocks: ENFORCED,
    ephemerals: ENFORCED,
    discards: ENFORCED,
    prefixes: [],
    receipt: 'units',
    failure: 'closed',
    limits: [say('An extension whose handler runs later can change the request again; the receipt then says so.')],
  },
  {
    agent: 'ai-sdk',
    name: 'AI SDK',
    versions: ['7.0.173', '6.0.326'],
    files: [],
    by: 'adapter',
    blocks: ENFORCED,
    ephemerals: ENFORCED,
    discards: ENFORCED,
    prefixes: [],
    receipt: 'units-where-reported',
    failure: 'closed',
    limits: [say('A tag in a result that is no text is none: in JSON there are no lines.')],
  },
  {
    agent: 'dsh',
    name: 'DeepSeek Harness',
    versions: ['0.1.0-rc.8'],
    files: ['AGENTS.md'],
    by: 'example',
    blocks: IN_ITS_MESSAGE,
    ephemerals: ENFORCED,
    discards: IN_ITS_MESSAGE,
    prefixes: [{ where: 'file', text: '1: ' }],
    receipt: 'not-reported',
    failure: 'closed',
    limits: [say('Its contract says that listeners leave the request alone: a later version may hold to that.')],
  },
];

/** The profile of an agent by the name that its sessions have; absent for one that was never measured. */
export function agentProfile(agent: string): AgentProfile | undefined {
  return AGENT_PROFILES.find(profile => profile.agent === agent);
}
