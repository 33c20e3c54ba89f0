import type { BudgetSettings } from '../../local/budgetSettings.ts';
import type { Folders } from '../../local/folders.ts';
import { pendingHandoffs } from '../../local/pendingHandoff.ts';
import type { ReadConfig } from '../../local/userConfig.ts';
import { grouped } from '../../protocol/log/countText.ts';
import { reasonOf } from '../failure.ts';
import { dateAndTime, listed } from '../words.ts';
import { type Finding, note, ok, problem, type Section } from './finding.ts';

/** Whether the budget layer is on and from where it knows a window, and which handoffs wait. */
export function budgetSection(
  settings: ReadConfig,
  { configFile, handoffs }: Pick<Folders, 'configFile' | 'handoffs'>,
): Section {
  return {
    title: 'Budget layer',
    findings: [...layerFindings(settings, configFile), ...handoffFindings(handoffs)],
  };
}

function layerFindings({ config, problems }: ReadConfig, configFile: string): readonly Finding[] {
  const { budget, countTokens } = config;
  if (!budget.enabled) {
    // A file that turns it on may hold a mistake.
    const first = problems.length > 0 ? 'mend what is wrong in the settings; ' : '';
    return [note(`off: ${first}"budget": {"enabled": true} in ${configFile} turns it on for sessions that begin`)];
  }
  if (!countTokens) {
    return [problem('It is on, but tokens are not counted, so it does nothing. Set "countTokens" to true.')];
  }
  const above = budget.overLimit === 'block' ? 'not sent' : 'sent with a warning';
  return [ok(`on: a request above its limit is ${above}`), windowFinding(budget)];
}

const OTHERWISE =
  'what the agent says, else what is known of the model by its name, else assumed; "window" in "budget" sets it';

function windowFinding({ window, models }: BudgetSettings): Finding {
  const own = models.flatMap(({ model, window: set }) =>
    set === undefined ? [] : [`${grouped(set)} tokens for ${model}`],
  );
  if (window !== undefined) {
    return ok(
      `window: ${listed([...own, `${grouped(window)} tokens for every ${own.length > 0 ? 'other ' : ''}model`])}, as you set it`,
    );
  }
  return note(
    own.length > 0 ? `window: ${listed(own)}, as you set it; of others ${OTHERWISE}` : `window: ${OTHERWISE}`,
  );
}

function handoffFindings(folder: string): readonly Finding[] {
  try {
    const { found, refused } = pendingHandoffs(folder);
    return [
      ...found.map(({ cwd, agent = 'an agent', file, put }) =>
        note(`the next new session of ${agent} in ${cwd} goes on from ${file} (waits since ${dateAndTime(put)})`),
      ),
      ...refused.map(problem),
    ];
  } catch (error) {
    return [problem(reasonOf(error, folder))];
  }
}
