import type { Quote, Summary } from '../budgetEvents.ts';
import { isoTime } from '../isoTime.ts';
import { clipped } from './clipped.ts';
import { isConstraint, isDecision, isGreeting } from './cues.ts';
import { errorsOf, outcomesOf } from './outcomes.ts';
import { sentencesOf } from './sentences.ts';
import type { Detail, Summarizer, SummaryGroup, SummaryUnit } from './summarizer.ts';
import { splitByTopic, taskOf } from './topics.ts';

/** A topic is a title. */
const LONGEST_TOPIC = 80;

/** How much of what is no constraint each detail keeps; a constraint is kept word for word in all of them. */
const KEEP: Readonly<
  Record<Detail, { readonly decisions: number; readonly outcomes: number; readonly length: number }>
> = {
  full: { decisions: 12, outcomes: 6, length: 240 },
  short: { decisions: 6, outcomes: 3, length: 120 },
  least: { decisions: 2, outcomes: 1, length: 60 },
  constraints: { decisions: 0, outcomes: 0, length: 0 },
};

/**
 * The summariser that needs no model: it keeps sentences of users word for word and what tools and answers came to. The number
 * in its name changes with whatever changes its summaries.
 */
export const extractive: Summarizer = Object.freeze({ name: 'extractive@1', summarize, split: splitByTopic });

function summarize(groups: readonly SummaryGroup[], detail: Detail, known: ReadonlySet<string>): Summary {
  const keep = KEEP[detail];
  const units = groups.flatMap(group => group.units);
  const seen = new Set(known);
  const fresh = (quotes: readonly Quote[]) => quotes.filter(({ text }) => !seen.has(text) && seen.add(text));
  const said = units.filter(({ kind }) => kind === 'user').map(quotesOf);
  const constraints = fresh(said.flatMap(quotes => quotes.constraints));
  const decisions = fresh(said.flatMap(quotes => quotes.decisions)).slice(0, keep.decisions);
  return {
    record: {
      topic: topicOf(groups),
      period: periodOf(units),
      decisions: decisions.map(({ text }) => text),
      outcomes: keep.outcomes === 0 ? [] : outcomesOf(units, keep.length).slice(-keep.outcomes),
      active_constraints: constraints.map(({ text }) => text),
      errors_encountered: errorsOf(units, keep.length).slice(0, keep.outcomes),
    },
    quotes: [...constraints, ...decisions],
    unverified: [],
  };
}

interface Quotes {
  readonly constraints: readonly Quote[];
  readonly decisions: readonly Quote[];
}

/** What was found in units, so that each is read once, in however many details it is summarised. */
const read = new WeakMap<SummaryUnit, Quotes>();

/**
 * The sentences of a user that a summary quotes. Where none of them has a cue, in whatever language it is, the first one that
 * is no greeting is kept as a decision.
 */
function quotesOf(said: SummaryUnit): Quotes {
  const known = read.get(said);
  if (known) {
    return known;
  }
  const { unit, text } = said;
  const quotes = sentencesOf(text)
    .filter(sentence => !isGreeting(sentence.text))
    .map((sentence): Quote => ({ text: sentence.text, unit, offset: sentence.offset }));
  const constraints = quotes.filter(quote => isConstraint(quote.text));
  const decisions = quotes.filter(quote => !isConstraint(quote.text) && isDecision(quote.text));
  const found = { constraints, decisions: constraints.length + decisions.length > 0 ? decisions : quotes.slice(0, 1) };
  read.set(said, found);
  return found;
}

/** Whether the extractive summariser would keep sentences of these groups as constraints. */
export function holdsConstraint(groups: readonly SummaryGroup[]): boolean {
  return groups.some(({ units }) => units.some(unit => unit.kind === 'user' && quotesOf(unit).constraints.length > 0));
}

function topicOf(groups: readonly SummaryGroup[]): string {
  const [first] = groups;
  const named = first && (taskOf(first) ?? first.topic);
  if (named !== undefined) {
    return clipped(named, LONGEST_TOPIC);
  }
  const counts = new Map<string, number>();
  for (const path of groups.flatMap(({ paths }) => paths)) {
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const [common] = [...counts].toSorted(([, a], [, b]) => b - a);
  return clipped(common?.[0] ?? 'earlier messages', LONGEST_TOPIC);
}

function periodOf(units: readonly SummaryUnit[]): string {
  const times = units.flatMap(({ time }) => time ?? []);
  const [first] = times;
  const last = times.at(-1);
  return first === undefined || last === undefined ? 'unknown' : `${isoTime(first)} - ${isoTime(last)}`;
}
