import { claude } from '../gateway/agentPrograms.ts';
import { proveConversation, proveState } from '../gateway/scenarios.ts';

proveConversation(claude);
proveState(claude);
