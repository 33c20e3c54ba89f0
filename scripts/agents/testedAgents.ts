import { readFileSync } from 'node:fs';
import { inRepository } from '../build/paths.ts';
import type { FinishedStep } from '../check/step.ts';

/** A real agent that is tested, or something of ours that is tested with real agents. */
export interface TestedAgent {
  readonly name: string;
  /** Of its tests, relative to the repository. */
  readonly tests: string;
  /** Names of its dependencies in the package.json of `folder`, newest version first. */
  readonly packages: readonly string[];
  /** Whose packages hold it, relative to the repository. */
  readonly folder: string;
}

/** Packages that are installed by default, and those that are installed for `--all`. */
export const agentFolder = 'test/agents';
export const slowAgentFolder = 'test/agents/all';

export const testedAgents: readonly TestedAgent[] = [
  { name: 'pi', tests: 'test/agents/pi', packages: ['pi-1.6', 'pi-0.73'], folder: agentFolder },
  { name: 'ai-sdk', tests: 'test/agents/aiSdk', packages: ['ai-7', 'ai-6'], folder: agentFolder },
  {
    name: 'claude-code',
    tests: 'test/agents/claudeCode',
    packages: ['@anthropic-ai/claude-code'],
    folder: agentFolder,
  },
  { name: 'codex', tests: 'test/agents/codex', packages: ['@openai/codex'], folder: agentFolder },
  {
    name: 'panel',
    tests: 'test/agents/gateway',
    packages: ['@anthropic-ai/claude-code', '@openai/codex'],
    folder: agentFolder,
  },
  { name: 'opencode', tests: 'test/agents/all/opencode', packages: ['opencode-linux-x64'], folder: slowAgentFolder },
  { name: 'gemini-cli', tests: 'test/agents/all/gemini', packages: ['@google/gemini-cli'], folder: slowAgentFolder },
];

/** The exact versions that are installed of an agent, as its package.json names them. */
export function versionsOf({ packages, folder }: TestedAgent): readonly string[] {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(inRepository(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>> | undefined>>;
  const all = { ...dependencies, ...optionalDependencies };
  return packages.flatMap(name => all[name]?.replace(/^npm:.*@/, '') ?? []);
}

/** One line for each agent that was run: name, versions, tests, seconds. */
export function agentTable(agents: readonly TestedAgent[], finished: readonly FinishedStep[]): string {
  const rows = agents.flatMap(agent => {
    const step = finished.find(({ name }) => name === agent.name);
    if (!step) return [];
    const { passed, failed } = step.result;
    return [[agent.name, versionsOf(agent).join(', '), String(passed + failed), step.seconds.toFixed(1)]];
  });
  const table = [['agent', 'version', 'tests', 'seconds'], ...rows];
  const widths = [0, 1, 2, 3].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)));
  return table
    .map(row =>
      row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}
