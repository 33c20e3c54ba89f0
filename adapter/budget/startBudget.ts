import type { BudgetSettings } from '../../local/budgetSettings.ts';
import type { Tier1 } from '../../protocol/budget/tier1.ts';
import { NO_METER } from '../noMeter.ts';
import { BudgetLayer, type BudgetLayerOptions } from './budgetLayer.ts';
import { takeOver } from './takeOver.ts';

export interface BudgetStart extends Omit<BudgetLayerOptions, 'resumed'> {
  /** Where the settings come from: the source of the first tier. */
  readonly configFile: string;
  /** A handoff file's text, for a session without a past. */
  readonly handoff: string | undefined;
  readonly cwd: string | undefined;
}

/** The layer of a session whose settings have it on, and sentences for a person. */
export interface StartedBudget {
  readonly layer?: BudgetLayer;
  readonly notices: readonly string[];
}

/**
 * Seed 3's layer of an instance that has just begun: what it takes over, and the first tier as its settings say. No layer where
 * it is off, or nobody counts tokens. Throws `HandoffError`.
 */
export function startBudget({ configFile, handoff, cwd, ...options }: BudgetStart): StartedBudget {
  const { settings, meter, log, lifecycle } = options;
  if (!settings.enabled) {
    return { notices: handoff === undefined ? [] : [OFF_WITH_HANDOFF] };
  }
  if (meter === NO_METER) {
    return { notices: [UNCOUNTED] };
  }
  const plan = handoff === undefined ? undefined : takeOver({ text: handoff, log, lifecycle, cwd });
  const layer = new BudgetLayer({ ...options, ...(plan && { resumed: plan.resumed }) });
  plan?.budget.forEach(event => layer.record(event));
  layer.firstTier.begin(tier1Of(settings), { source: configFile, class: 'user' });
  log.commit();
  return { layer, notices: plan ? [`This session goes on from session ${plan.from}.`, ...plan.gaps] : [] };
}

const UNCOUNTED =
  'The budget layer is off in this session, because tokens are not counted. Set "countTokens" to true in config.json.';
const OFF_WITH_HANDOFF =
  'Nothing was taken over from the handoff file, because the budget layer is off. Set "budget": {"enabled": true} in config.json.';

function tier1Of({ task, constraints, identity, outputFormat }: BudgetSettings): Tier1 {
  return {
    ...(task !== undefined && { objective: task }),
    constraints,
    ...(identity !== undefined && { identity }),
    ...(outputFormat !== undefined && { outputFormat }),
  };
}
