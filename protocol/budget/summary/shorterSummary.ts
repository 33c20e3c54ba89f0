import type { Summary } from '../budgetEvents.ts';

/** A summary with its constraints and its last outcome alone, for the one paragraph of an emergency. */
export function shorterSummary({ record, quotes, unverified }: Summary): Summary {
  const constraints = new Set(record.active_constraints);
  return {
    record: { ...record, decisions: [], outcomes: record.outcomes.slice(-1), errors_encountered: [] },
    quotes: quotes.filter(({ text }) => constraints.has(text)),
    unverified,
  };
}

/** A summary without some lines, wherever they stand. */
export function shorterWithout({ record, quotes, unverified }: Summary, lines: readonly string[]): Summary {
  const struck = new Set(lines);
  const others = (texts: readonly string[]) => texts.filter(text => !struck.has(text));
  return {
    record: {
      ...record,
      decisions: others(record.decisions),
      outcomes: others(record.outcomes),
      active_constraints: others(record.active_constraints),
      errors_encountered: others(record.errors_encountered),
    },
    quotes: quotes.filter(({ text }) => !struck.has(text)),
    unverified: others(unverified),
  };
}
