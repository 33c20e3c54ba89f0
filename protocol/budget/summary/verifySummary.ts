import { isJsonArray, isJsonObject } from '../../request/json.ts';
import type { Quote, Summary } from '../budgetEvents.ts';
import type { SummaryGroup, SummaryUnit } from './summarizer.ts';

const LISTS = ['decisions', 'outcomes', 'active_constraints', 'errors_encountered'] as const;

/**
 * What a model gave for these groups, as far as it may be used: a record of the seed's shape, whose constraints stand in the
 * messages word for word; those that do not become `unverified`. Constraints that a user said and the model left out are
 * taken from `floor`, the extractive summary of the same groups. A text is the reason why nothing of it may be used.
 */
export function verifySummary(value: unknown, groups: readonly SummaryGroup[], floor: Summary): Summary | string {
  if (!isJsonObject(value)) {
    return 'what it gave is no object';
  }
  const { topic } = value;
  if (typeof topic !== 'string') {
    return 'its topic is no text';
  }
  const lists = new Map<string, readonly string[]>();
  for (const name of LISTS) {
    const list = value[name];
    if (!isJsonArray(list ?? null) || !(list as readonly unknown[]).every(item => typeof item === 'string')) {
      return `its ${name} are no list of texts`;
    }
    lists.set(name, list as readonly string[]);
  }
  const listOf = (name: (typeof LISTS)[number]) => lists.get(name) ?? [];
  const units = groups.flatMap(group => group.units).filter(({ kind }) => kind === 'user');
  const claimed = listOf('active_constraints').map(text => ({ text, quote: quoteOf(text, units) }));
  const kept = new Set(floor.record.active_constraints);
  const added = claimed.flatMap(({ quote }) => (quote && !kept.has(quote.text) ? [quote] : []));
  return {
    record: {
      topic,
      period: floor.record.period,
      decisions: listOf('decisions'),
      outcomes: listOf('outcomes'),
      active_constraints: [...floor.record.active_constraints, ...added.map(({ text }) => text)],
      errors_encountered: listOf('errors_encountered'),
    },
    quotes: [...floor.quotes.filter(({ text }) => kept.has(text)), ...added],
    unverified: claimed.flatMap(({ text, quote }) => (quote ? [] : [text])),
  };
}

function quoteOf(text: string, units: readonly SummaryUnit[]): Quote | undefined {
  for (const { unit, text: whole } of units) {
    const offset = text.trim() === '' ? -1 : whole.indexOf(text);
    if (offset >= 0) {
      return { text, unit, offset };
    }
  }
  return undefined;
}
