import { codex } from '../gateway/agentPrograms.ts';
import { proveRefusal, proveRetries } from '../gateway/failures.ts';

proveRetries(codex);
proveRefusal(codex, { status: 400 });
