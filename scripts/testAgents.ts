import { inRepository } from './build/paths.ts';
import { runNode, runTool } from './build/tools.ts';
import { resultOf, runSteps } from './check/step.ts';
import { runUnitTests } from './check/unitTests.ts';
import { install, isInstalled } from './packages.mjs';

/** Real agents take a second or two for each answer. */
const deadlineMinutes = 20;

/** Suites that run real agents against a scripted model on loopback; the agents are installed on first need. */
async function main(): Promise<number> {
  const folder = inRepository('test/agents');
  if (!isInstalled(folder)) {
    install(folder, 'Installing the agents that are tested (about 90 MB to download, 370 MB on disk) …');
  }
  return runSteps([
    { name: 'build', run: async () => resultOf(await runNode(['scripts/build.ts'])) },
    // apart from the other rooms, for its types are those of the agents
    { name: 'types', run: async () => resultOf(await runTool('typescript', ['-b', folder], 'tsc')) },
    { name: 'agents', run: () => runUnitTests(['test/agents'], deadlineMinutes) },
  ]);
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
