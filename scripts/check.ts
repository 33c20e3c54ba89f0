import { runTool } from './build/tools.ts';
import { lintSteps } from './check/lintSteps.ts';
import { resultOf, runSteps, type Step } from './check/step.ts';
import { runUnitTests } from './check/unitTests.ts';

/** Rooms of test/ that need no editor and no packages. */
const unitRooms = ['protocol', 'server', 'cli', 'client', 'syntaxes', 'docs', 'scripts'];

const steps: readonly Step[] = [
  { name: 'format', run: async () => resultOf(await runTool('@biomejs/biome', ['check', '--colors=off'], 'biome')) },
  ...lintSteps,
  { name: 'types', run: async () => resultOf(await runTool('typescript', ['-b'], 'tsc')) },
  { name: 'unit', run: () => runUnitTests(unitRooms.map(room => `test/${room}`)) },
];

process.exit(await runSteps(steps));
