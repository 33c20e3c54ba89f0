import { gemini } from '../../gateway/agentPrograms.ts';
import { proveRefusal, proveRetries } from '../../gateway/failures.ts';

proveRetries(gemini, 1);
proveRefusal(gemini, { status: 400 });
