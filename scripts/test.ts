import { runNode } from './build/tools.ts';
import { lintSteps } from './check/lintSteps.ts';
import { resultOf, runSteps, type Step } from './check/step.ts';
import { plainFolders, runPlainTests, runUnitTests } from './check/unitTests.ts';
import { runInHostTests } from './test/inHostTests.ts';

/** What `npm test -- <name>` can name, in the order in which everything runs. */
const suites: Readonly<Record<string, readonly Step[]>> = {
  lint: lintSteps,
  unit: [{ name: 'unit', run: () => runPlainTests(plainFolders()) }],
  inHost: [{ name: 'in host', run: runInHostTests }],
  // one browser at a time: each takes a whole core
  ui: [{ name: 'ui', run: () => runUnitTests(['test/ui'], 10, 1) }],
};

const buildStep: Step = {
  name: 'build',
  run: async () => resultOf(await runNode(['scripts/build.ts'])),
};

process.exit(await main(process.argv.slice(2)));

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.find(name => !Object.hasOwn(suites, name));
  if (unknown !== undefined) {
    console.error(
      `There is no suite ${unknown}: name one or more of ${Object.keys(suites).join(', ')}, or none for all.`,
    );
    return 2;
  }
  const chosen = names.length > 0 ? names : Object.keys(suites);
  return runSteps([buildStep, ...chosen.flatMap(name => suites[name] ?? [])]);
}
