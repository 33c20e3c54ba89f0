import type { BudgetEvent, CheckResult, Edit } from './budgetEvents.ts';
import type { Anchoring, BudgetView } from './budgetView.ts';
import type { BudgetFold } from './classification.ts';
import { shorterWithout } from './summary/shorterSummary.ts';
import { textsIn } from './summary/summaryGroups.ts';
import { paragraphText, structuredText } from './summary/summaryText.ts';
import { type EditDraft, followed } from './workbench.ts';

/** What a check found: for the log, and the summaries without the lines that contradict what was said first. */
export interface Coherence {
  readonly results: readonly CheckResult[];
  readonly contradictions: readonly BudgetEvent[];
  readonly strikes: readonly EditDraft[];
}

/** What a check reads of a view. */
export type CheckedView = Pick<BudgetView, 'requestSequence' | 'entries' | 'format' | 'sha256'>;

/** A line of a summary that cannot stand, and what stands against it. */
interface Wrong {
  readonly check: string;
  readonly edit: Edit;
  readonly line: string;
  readonly original: string;
}

/** Who strikes lines out of summaries. */
const ACTOR = 'coherence';

/** tiers 4, rule 3: what only a judge can say. */
const UNDECIDABLE = ['behaviour', 'expectations'] as const;

/**
 * seed 3, rule 3: whether the request, and the summaries in it, still hold what was said first. Whatever cannot be decided
 * without a model is `not-evaluated`. Details name no content.
 */
export function checkCoherence(
  edits: readonly Edit[],
  view: CheckedView,
  { budget }: Pick<BudgetFold, 'budget'>,
  anchoring: Anchoring,
): Coherence {
  const summaries = edits.filter(({ summary }) => summary !== undefined);
  const originals = originalsOf(summaries, view);
  const wrong = [
    ...summaries.flatMap(edit => unresolvedLines(edit, anchoring)),
    ...summaries.flatMap(edit => supersededLines(edit, anchoring)),
    ...summaries.flatMap(edit => discardedLines(edit, anchoring)),
    ...summaries.flatMap(edit => misquotedLines(edit, originals)),
  ];
  const decided = (check: string): CheckResult => {
    const found = wrong.filter(one => one.check === check).length;
    return found > 0 ? { check, result: 'contradiction', detail: `lines struck: ${found}` } : { check, result: 'ok' };
  };
  const quotes = summaries.flatMap(({ summary }) => summary?.quotes ?? []);
  const lost = quotes.filter(({ unit }) => !originals.has(unit)).length;
  const quoted = decided('quotes');
  const judged = new Map((anchoring.judged ?? []).map(result => [result.check, result]));
  return {
    results: [
      tier1Result(budget.tier1?.sha256, view, anchoring),
      listedResult(edits, anchoring),
      decided('summary-constraints'),
      decided('superseded-values'),
      decided('discarded-blocks'),
      quoted.result === 'ok' && lost > 0
        ? { check: 'quotes', result: 'not-evaluated', detail: `originals that are gone: ${lost} of ${quotes.length}` }
        : quoted,
      ...UNDECIDABLE.map(check => judged.get(check) ?? ({ check, result: 'not-evaluated' } as const)),
    ],
    contradictions: wrong.map(({ check, edit, line, original }) => ({
      type: 'budget/contradiction',
      data: { check, original, derived: line, edit: edit.edit, requestSequence: view.requestSequence },
    })),
    strikes: strikesOf(wrong, view),
  };
}

/** The first tier in the prefix is what was set. */
function tier1Result(expected: string | undefined, { sha256 }: CheckedView, { prefixText }: Anchoring): CheckResult {
  const check = 'tier1-hash';
  if (expected === undefined) {
    return { check, result: 'not-evaluated', detail: 'nobody set the first tier' };
  }
  return prefixText !== undefined && sha256(prefixText) === expected
    ? { check, result: 'ok' }
    : { check, result: 'contradiction', detail: 'the prefix does not hold the first tier as it was set' };
}

/** Every constraint in force stands in the prefix, or in a message that was appended. */
function listedResult(edits: readonly Edit[], { tier1, prefixText = '' }: Anchoring): CheckResult {
  const check = 'constraints-listed';
  if (!tier1) {
    return { check, result: 'not-evaluated', detail: 'nobody set the first tier' };
  }
  const told = [
    prefixText,
    ...edits.flatMap(({ kind, message }) => (kind === 'append' && message ? textsIn(message) : [])),
  ].join('\n');
  const missing = tier1.constraints.filter(({ text }) => !told.includes(JSON.stringify(text)));
  return missing.length === 0
    ? { check, result: 'ok' }
    : {
        check,
        result: 'contradiction',
        detail: `constraints that are missing: ${missing.map(({ id }) => id).join(', ')}`,
      };
}

function linesOf({ summary }: Edit): readonly string[] {
  return summary?.record.active_constraints ?? [];
}

/** A constraint of a summary comes from the first tier, or from a message word for word. */
function unresolvedLines(edit: Edit, { tier1 }: Anchoring): readonly Wrong[] {
  const known = new Set([
    ...(tier1?.constraints ?? []).map(({ text }) => text),
    ...(edit.summary?.quotes ?? []).map(({ text }) => text),
  ]);
  return linesOf(edit)
    .filter(line => !known.has(line))
    .map(line => ({ check: 'summary-constraints', edit, line, original: '' }));
}

function supersededLines(edit: Edit, { superseded }: Anchoring): readonly Wrong[] {
  return linesOf(edit).flatMap(line => {
    const found = superseded.find(({ old }) => repeats(line, old));
    return found ? [{ check: 'superseded-values', edit, line, original: found.now ?? '' }] : [];
  });
}

/** Letters of scripts that put no blanks between words. */
const UNBROKEN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]{4}/u;

/**
 * Whether a line says what a value said: with all of its words as they are, or nothing else. A value of one word, such as a
 * name, stands in many sentences of a user that say something else.
 */
function repeats(line: string, value: string): boolean {
  if (UNBROKEN.test(value)) {
    return line.includes(value);
  }
  if (!/\S\s+\S/.test(value)) {
    return line === value;
  }
  for (let at = line.indexOf(value); at >= 0; at = line.indexOf(value, at + 1)) {
    if (!/[\p{L}\p{N}]$/u.test(line.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(line.slice(at + value.length))) {
      return true;
    }
  }
  return false;
}

function discardedLines(edit: Edit, { discardedBlocks = [] }: Anchoring): readonly Wrong[] {
  return linesOf(edit).flatMap(line => {
    const found = discardedBlocks.find(({ text }) => text.split(/[\n\r]+/).some(of => of.trim() === line));
    return found ? [{ check: 'discarded-blocks', edit, line, original: found.id }] : [];
  });
}

function misquotedLines(edit: Edit, originals: ReadonlyMap<string, string>): readonly Wrong[] {
  return (edit.summary?.quotes ?? []).flatMap(({ text, unit, offset }) => {
    const original = originals.get(unit);
    return original === undefined || original.startsWith(text, offset)
      ? []
      : [{ check: 'quotes', edit, line: text, original: original.slice(offset, offset + text.length) }];
  });
}

/** Texts of the units that summaries quote, as far as the transcript still holds them. */
function originalsOf(summaries: readonly Edit[], view: CheckedView): ReadonlyMap<string, string> {
  const wanted = new Set(summaries.flatMap(({ summary }) => summary?.quotes.map(({ unit }) => unit) ?? []));
  const originals = new Map<string, string>();
  for (const { keys, message } of view.entries) {
    if (keys.some(key => wanted.has(key))) {
      for (const [place, { texts }] of view.format.describe(message).units.entries()) {
        originals.set(keys[place] ?? '', texts.join('\n'));
      }
    }
  }
  return originals;
}

/** Each summary once, without all of its lines that cannot stand. */
function strikesOf(wrong: readonly Wrong[], { format }: CheckedView): readonly EditDraft[] {
  const byEdit = new Map<Edit, string[]>();
  for (const { edit, line } of wrong) {
    byEdit.set(edit, [...(byEdit.get(edit) ?? []), line]);
  }
  return [...byEdit].flatMap(([edit, lines]) => {
    const summary = edit.summary && shorterWithout(edit.summary, lines);
    if (!summary) {
      return [];
    }
    const text = edit.form === 'paragraph' ? paragraphText(summary) : structuredText(summary);
    return [
      {
        kind: 'summarize',
        cause: 'contradiction',
        actor: ACTOR,
        units: edit.units,
        replaces: [edit.edit],
        ...followed(edit),
        form: edit.form ?? 'structured',
        summary,
        message: format.userMessage(text),
      },
    ];
  });
}
