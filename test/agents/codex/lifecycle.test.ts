import { codex, codexFunctions } from '../gateway/agentPrograms.ts';
import { proveConversation, proveState } from '../gateway/scenarios.ts';

proveConversation(codex);
proveConversation(codexFunctions);
proveState(codex);
