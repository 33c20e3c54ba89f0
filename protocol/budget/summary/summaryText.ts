import type { Summary } from '../budgetEvents.ts';

/** What stands before a summary, so that the model knows what it reads. It is one line, and no tag. */
const INTRODUCTION = 'Summary of earlier messages, made by the context budget (sentences in quotes are exact):';

/** The summary's record, exactly as seed 3 has it, as one line of JSON: no line of it can be a tag. */
export function structuredText({ record }: Summary): string {
  return `${INTRODUCTION} ${JSON.stringify(record)}`;
}

/** The same in one paragraph: every constraint to the character, and of the rest as much as it has. */
export function paragraphText({ record }: Summary): string {
  const { topic, period, decisions, outcomes, active_constraints: constraints, errors_encountered: errors } = record;
  const parts = [
    ['Constraints', constraints],
    ['Decisions', decisions],
    ['Outcomes', outcomes],
    ['Errors', errors],
  ] as const;
  const lines = parts.flatMap(([title, items]) =>
    items.length > 0 ? [`${title}: ${items.map(item => JSON.stringify(item)).join(', ')}.`] : [],
  );
  // A handoff file may have anything for its period: it is escaped as the others are, without their quotes.
  return [`Earlier, ${JSON.stringify(topic)} (${JSON.stringify(period).slice(1, -1)}).`, ...lines].join(' ');
}
