import { runTool } from './build/tools.ts';
import { lintSteps } from './check/lintSteps.ts';
import { resultOf, runSteps, type Step } from './check/step.ts';
import { plainFolders, runPlainTests } from './check/unitTests.ts';

const steps: readonly Step[] = [
  { name: 'format', run: async () => resultOf(await runTool('@biomejs/biome', ['check', '--colors=off'], 'biome')) },
  ...lintSteps,
  { name: 'unit', run: () => runPlainTests(plainFolders().filter(folder => folder !== 'test/dist')) },
];

process.exit(await runSteps(steps));
