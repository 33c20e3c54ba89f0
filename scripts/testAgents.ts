import { agentFolder, agentTable, slowAgentFolder, testedAgents } from './agents/testedAgents.ts';
import { inRepository } from './build/paths.ts';
import { runNode, runTool } from './build/tools.ts';
import { resultOf, runSteps } from './check/step.ts';
import { runUnitTests } from './check/unitTests.ts';
import { install, isInstalled } from './packages.mjs';

/** Real agents take a second or two for each answer. */
const deadlineMinutes = 20;

/** What is installed on first need, with the size that the person is told. */
const sizes = {
  [agentFolder]: 'about 450 MB to download, 1.2 GB on disk',
  [slowAgentFolder]: 'about 80 MB to download, 280 MB on disk',
} as const;

/**
 * Suites that run real agents against a scripted model on loopback. `--all` adds those that are large or slow; names run only
 * those agents.
 */
async function main(args: readonly string[]): Promise<number> {
  const names = args.filter(arg => arg !== '--all');
  const unknown = names.find(name => !testedAgents.some(agent => agent.name === name));
  if (unknown !== undefined) {
    console.error(
      `There is no agent ${unknown}: name one or more of ${testedAgents.map(({ name }) => name).join(', ')}, or none.`,
    );
    return 2;
  }
  const chosen = testedAgents.filter(({ name, folder }) =>
    names.length > 0 ? names.includes(name) : folder === agentFolder || args.includes('--all'),
  );
  const folders = new Set([agentFolder, ...chosen.map(({ folder }) => folder)] as (keyof typeof sizes)[]);
  for (const folder of folders) {
    if (!isInstalled(inRepository(folder))) {
      install(inRepository(folder), `Installing the agents of ${folder} (${sizes[folder]}) …`);
    }
  }
  return runSteps(
    [
      { name: 'build', run: async () => resultOf(await runNode(['scripts/build.ts'])) },
      // apart from the other rooms, for its types are those of the agents
      {
        name: 'types',
        run: async () => resultOf(await runTool('typescript', ['-b', inRepository(agentFolder)], 'tsc')),
      },
      ...chosen.map(({ name, tests }) => ({ name, run: () => runUnitTests([tests], deadlineMinutes) })),
    ],
    finished => agentTable(chosen, finished),
  );
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
