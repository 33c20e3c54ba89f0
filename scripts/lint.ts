import { lintSteps } from './check/lintSteps.ts';
import { runSteps } from './check/step.ts';

process.exit(await runSteps(lintSteps));
