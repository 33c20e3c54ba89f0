import { budgetSettings } from '../local/budgetSettings.ts';
import { WrongValue } from '../local/configValues.ts';
import type { UserConfig } from '../local/userConfig.ts';
import type { Json } from '../protocol/request/json.ts';
import type { SessionConfig } from './sessionTypes.ts';

/** What a program set for its session cannot be used. No session is opened: nobody knows what was meant. */
export class SessionConfigError extends TypeError {
  override readonly name = 'SessionConfigError';

  constructor(fault: string) {
    super(`The session was not opened, because ${fault}. Mend the config that the program gives.`);
  }
}

/**
 * A person's settings, with those of a program in their place, member by member. What the program's `budget` does not name has its
 * default. Throws `SessionConfigError` where a member of it is unknown or has a wrong value, as config.json names it.
 */
export function withGivenConfig(user: UserConfig, given: SessionConfig = {}): UserConfig {
  const { budget, ...others } = given;
  return { ...user, ...withoutUndefined(others), ...(budget !== undefined && { budget: readBudget(budget) }) };
}

/** What a program in JavaScript leaves undefined is not set: a person's `hashes` must not become `full` by it. */
function withoutUndefined(config: Omit<SessionConfig, 'budget'>): Omit<SessionConfig, 'budget'> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

function readBudget(budget: NonNullable<SessionConfig['budget']>): UserConfig['budget'] {
  try {
    return budgetSettings(JSON.parse(JSON.stringify(budget)) as Json, 'budget');
  } catch (error) {
    throw error instanceof WrongValue ? new SessionConfigError(error.message) : error;
  }
}
