import { codex } from '../gateway/agentPrograms.ts';
import { proveBudget } from '../gateway/budget.ts';

proveBudget(codex, { window: 60_000, files: 40 });
