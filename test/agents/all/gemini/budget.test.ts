import { gemini } from '../../gateway/agentPrograms.ts';
import { proveBudget } from '../../gateway/budget.ts';

proveBudget(gemini, { window: 45_000, files: 24 });
