import { lintSteps } from './check/lintSteps.ts';
import { runSteps } from './check/step.ts';

process.exitCode = await runSteps(lintSteps);
