import { gemini } from '../../gateway/agentPrograms.ts';
import { proveConversation, proveState } from '../../gateway/scenarios.ts';

proveConversation(gemini);
proveState(gemini);
