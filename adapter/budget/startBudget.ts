import type { BudgetSettings } from '../../local/budgetSettings.ts';
import type { BudgetData } from '../../protocol/budget/budgetEvents.ts';
import { HandoffError } from '../../protocol/budget/handoff/handoffFile.ts';
import type { Tier1 } from '../../protocol/budget/tier1.ts';
import { NO_METER } from '../noMeter.ts';
import { BudgetLayer, type BudgetLayerOptions } from './budgetLayer.ts';
import { commandSummaries } from './summarizers/commandSummaries.ts';
import { type TakenOver, takeOver } from './takeOver.ts';
import { waitingHandoff } from './waitingHandoff.ts';

export interface BudgetStart extends Omit<BudgetLayerOptions, 'resumed'> {
  /** Where the settings come from: the source of the first tier. */
  readonly configFile: string;
  /** A handoff file's text, for a session without a past. */
  readonly handoff: string | undefined;
  /** Where handoffs wait for a new session; absent for one that goes on, or is another one's sub-agent. */
  readonly handoffs: string | undefined;
  readonly cwd: string | undefined;
}

type WaitingStart = Pick<BudgetStart, 'agent' | 'cwd' | 'log' | 'lifecycle'> & { readonly handoffs: string };

interface TakenAtStart {
  readonly plan: TakenOver | undefined;
  readonly putBack?: (() => void) | undefined;
  readonly notices: readonly string[];
}

/** The layer of a session whose settings have it on, and sentences for a person. */
export interface StartedBudget {
  readonly layer?: BudgetLayer;
  /** Where a handoff that waited was taken: lets it wait again, for a session that ends before its first request. */
  readonly putBack?: () => void;
  readonly notices: readonly string[];
}

/**
 * Seed 3's layer of an instance that has just begun: what it takes over, and the first tier as its settings say. No layer where
 * it is off, or nobody counts tokens. Throws `HandoffError`.
 */
export function startBudget({ configFile, handoff: given, handoffs, cwd, ...options }: BudgetStart): StartedBudget {
  const { settings, meter, log, lifecycle } = options;
  if (!settings.enabled) {
    return { notices: [...(given === undefined ? [] : [OFF_WITH_HANDOFF]), ...shownAgain(log)] };
  }
  if (meter === NO_METER) {
    return { notices: [UNCOUNTED, ...shownAgain(log)] };
  }
  const unshown = unshownHandoff(log);
  const { plan, putBack, notices }: TakenAtStart =
    given === undefined && handoffs !== undefined
      ? takeWaiting({ ...options, handoffs, cwd })
      : { plan: given === undefined ? undefined : takeOver({ text: given, log, lifecycle, cwd }), notices: [] };
  const { summaries = settings.summaries && commandSummaries(settings.summaries) } = options;
  const layer = new BudgetLayer({ ...options, summaries, ...(plan && { resumed: plan.resumed }) });
  plan?.budget.forEach(event => layer.record(event));
  const lost = log.state.budget.tier1 && layer.firstTier.text === undefined ? [LOST_CHANGES] : [];
  layer.firstTier.begin(tier1Of(settings), { source: configFile, class: 'user' }, plan?.takenBack);
  log.commit();
  return {
    layer,
    ...(putBack && { putBack }),
    notices: [
      ...unshown,
      ...notices,
      ...lost,
      ...(plan ? [`This session goes on from session ${plan.from}.`, ...plan.gaps] : []),
    ],
  };
}

/** One that waits and cannot be taken over is told; the session begins without it. */
function takeWaiting({ handoffs, agent, cwd, log, lifecycle }: WaitingStart): TakenAtStart {
  const { text, putBack, notices } = waitingHandoff(handoffs, agent, cwd);
  try {
    return { plan: text === undefined ? undefined : takeOver({ text, log, lifecycle, cwd }), putBack, notices };
  } catch (error) {
    if (error instanceof HandoffError) {
      return { plan: undefined, notices: [error.message] };
    }
    throw error;
  }
}

/** The first request shows what was taken over: before it, the log does not have the summaries. */
function unshownHandoff(log: BudgetStart['log']): readonly string[] {
  const events = log.state.requests.length === 0 ? log.eventsFrom(0) : [];
  const from = events.flatMap(({ type, data }) =>
    type === 'budget/handoff' ? ((data as BudgetData<'budget/handoff'>).from ?? []) : [],
  );
  return from.map(
    session =>
      `The summaries of session ${session} are not in the requests of this session, because it ended before its first request. Run handoff resume again, and begin a new session.`,
  );
}

/** Edits of an instance before, which had the layer on, count in no view of one that has it off. */
function shownAgain({ state }: BudgetStart['log']): readonly string[] {
  return state.budget.edits.length > 0 ? [SHOWN_AGAIN] : [];
}

const SHOWN_AGAIN =
  'What the budget layer took out of this session before is in its requests again, because the layer is off now.';
const LOST_CHANGES =
  'Task and constraints are as config.json has them: what was changed of them in this session before is lost, because its log keeps no content.';
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
