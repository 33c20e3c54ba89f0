import { realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { AGENT_PROFILES, type AgentProfile } from '../../protocol/lifecycle/agentProfiles.ts';
import { isJsonObject } from '../../protocol/request/json.ts';
import { readRegularFile } from '../regularFile.ts';
import { listed } from '../words.ts';
import { note, ok, type Section } from './finding.ts';

/** An agent as it may be installed. */
interface KnownAgent {
  /** Its command; absent for a library. */
  readonly command?: string;
  /** npm packages that hold it. */
  readonly packages: readonly string[];
  /** What a person types or writes so that tags are obeyed in it. */
  readonly start: string;
}

/** By the names that profiles have. */
const AGENTS: Readonly<Record<string, KnownAgent>> = {
  pi: {
    command: 'pi',
    packages: ['@earendil-works/pi-coding-agent', '@mariozechner/pi-coding-agent'],
    start: 'pi -e dist/pi.js',
  },
  'ai-sdk': { packages: ['ai'], start: 'import context-lifecycle/ai-sdk' },
  'claude-code': {
    command: 'claude',
    packages: ['@anthropic-ai/claude-code'],
    start: 'context-lifecycle gateway run -- claude',
  },
  codex: {
    command: 'codex',
    packages: ['@openai/codex'],
    start: 'context-lifecycle gateway run --source AGENTS.md -- codex',
  },
  'gemini-cli': {
    command: 'gemini',
    packages: ['@google/gemini-cli'],
    start: 'context-lifecycle gateway run --source GEMINI.md -- gemini',
  },
  opencode: {
    command: 'opencode',
    packages: ['opencode-ai'],
    start: '"plugin": ["file:///…/dist/opencode.js"] in opencode.json',
  },
  dsh: { command: 'dsh', packages: ['dsh'], start: 'docs/examples/deepseek-harness' },
};

const BY: Readonly<Record<AgentProfile['by'], string>> = {
  adapter: 'adapter',
  gateway: 'gateway',
  example: 'an example adapter, which is experimental',
};

/** Where to look; tests give their own. */
export interface AgentPlaces {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the Node that runs. */
  readonly execPath: string;
}

/** Agents that are installed, as far as files say it: none of them is started. */
export function agentsSection(places: AgentPlaces): Section {
  const findings = AGENT_PROFILES.flatMap(({ agent, name, by, versions }) => {
    const known = AGENTS[agent];
    const installed = known && installedOf(known, places);
    if (!installed) {
      return [];
    }
    const text = `${name} ${installed.version ?? '(version not known)'}, ${installed.path}: ${BY[by]}, tested with ${listed(versions)}`;
    return [by === 'example' ? note(text, [`see ${known.start}`]) : { ...ok(text), more: [`start: ${known.start}`] }];
  });
  return { title: 'Agents', findings: findings.length > 0 ? findings : [note('None was found on the PATH.')] };
}

/** Whether pi is installed, as far as files say it. */
export function hasPi(places: AgentPlaces): boolean {
  const { pi } = AGENTS;
  return pi !== undefined && installedOf(pi, places) !== undefined;
}

function installedOf(agent: KnownAgent, places: AgentPlaces): Installed | undefined {
  return agent.command === undefined ? inProject(agent, places) : onMachine(agent, agent.command, places);
}

interface Installed {
  readonly path: string;
  readonly version?: string;
}

function onMachine(agent: KnownAgent, command: string, places: AgentPlaces): Installed | undefined {
  const path = commandPath(command, places.env);
  if (path !== undefined) {
    const version = versionAbove(path, agent.packages) ?? versionBeside(path, agent.packages);
    return { path, ...(version !== undefined && { version }) };
  }
  for (const root of globalRoots(places)) {
    for (const name of agent.packages) {
      const version = versionIn(join(root, name), [name]);
      if (version !== undefined) {
        return { path: `${join(root, name)} (not on the PATH)`, version };
      }
    }
  }
  return undefined;
}

/** A library of the project in which we run. */
function inProject({ packages }: KnownAgent, { cwd }: AgentPlaces): Installed | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of packages) {
      const path = join(folder, 'node_modules', name);
      const version = versionIn(path, [name]);
      if (version !== undefined) {
        return { path, version };
      }
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

function commandPath(command: string, env: AgentPlaces['env']): string | undefined {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe', '.bat'] : [''];
  return (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap(folder => endings.map(ending => join(folder, command + ending)))
    .find(path => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** npm's folders of global packages, as npm itself finds them. */
function globalRoots({ env, execPath }: AgentPlaces): readonly string[] {
  if (process.platform === 'win32') {
    return env['APPDATA'] ? [join(env['APPDATA'], 'npm', 'node_modules')] : [];
  }
  const prefixes = [env['npm_config_prefix'], dirname(dirname(execPath))];
  return prefixes.flatMap(prefix => (prefix ? [join(prefix, 'lib', 'node_modules')] : []));
}

/** A command of npm is a link into its package. */
function versionAbove(path: string, packages: readonly string[]): string | undefined {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return undefined;
  }
  for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
    const version = versionIn(folder, packages);
    if (version !== undefined) {
      return version;
    }
  }
  return undefined;
}

/** On Windows it is a script beside the folder of packages. */
function versionBeside(path: string, packages: readonly string[]): string | undefined {
  for (const name of packages) {
    const version = versionIn(join(dirname(path), 'node_modules', name), [name]);
    if (version !== undefined) {
      return version;
    }
  }
  return undefined;
}

/** The version of the package in a folder, where it is one of these. */
function versionIn(folder: string, packages: readonly string[]): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readRegularFile(join(folder, 'package.json')).toString());
    const { name, version } = isJsonObject(manifest) ? manifest : {};
    return typeof version === 'string' && packages.some(known => known === name) ? version : undefined;
  } catch {
    return undefined;
  }
}
