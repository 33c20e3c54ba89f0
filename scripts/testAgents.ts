import { runSteps } from './check/step.ts';
import { runUnitTests } from './check/unitTests.ts';

/** Suites that run real agents; there are none yet, and then this ends with `0 passed, 0 failed`. */
process.exitCode = await runSteps([{ name: 'agents', run: () => runUnitTests(['test/agents']) }]);
