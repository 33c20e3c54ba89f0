import { claude } from '../gateway/agentPrograms.ts';
import { proveRefusal, proveRetries } from '../gateway/failures.ts';

proveRetries(claude);
proveRefusal(claude, { status: 412 });
