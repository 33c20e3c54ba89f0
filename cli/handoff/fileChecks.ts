import { sha256 } from '../../adapter/hashing.ts';
import type { Edit } from '../../protocol/budget/budgetEvents.ts';
import { checkCoherence } from '../../protocol/budget/coherence.ts';
import type { HandoffFile } from '../../protocol/budget/handoff/handoffFile.ts';
import { EMPTY_BUDGET } from '../../protocol/budget/reduceBudget.ts';
import { tier1Text } from '../../protocol/budget/tier1.ts';
import { seedTwoFormat } from '../../protocol/lifecycle/seedTwoFormat.ts';

/** What holds where a check finds nothing; the other checks need the session itself. */
const CHECKS = {
  'tier1-hash': 'task and constraints are as they were saved',
  'summary-constraints': 'constraints in summaries were given by somebody',
  'superseded-values': 'summaries hold no value that was replaced',
} as const;

/** One check of a file, in words. */
export interface FileCheck {
  readonly says: string;
  readonly result: 'ok' | 'contradiction' | 'not-evaluated';
  /** Lines of summaries that cannot stand: they are struck when a session goes on from the file. */
  readonly lines: readonly string[];
}

/** seed 3, rule 6: what of the coherence check can be told from the file alone. */
export function fileChecks({ tier1, history }: HandoffFile): readonly FileCheck[] {
  const edits = history.map(
    (summary, place): Edit => ({
      edit: place + 1,
      kind: 'summarize',
      cause: 'resume',
      actor: 'handoff',
      units: [],
      replaces: [],
      form: 'structured',
      summary,
      before: NOTHING,
      after: NOTHING,
      counter: 'none',
      requestSequence: 1,
    }),
  );
  const constraints = tier1?.constraints.map(({ id }) => id) ?? [];
  const set = tier1 && { sha256: tier1.sha256, hasObjective: tier1.objective !== undefined, constraints, updates: 0 };
  const { results, contradictions } = checkCoherence(
    edits,
    { requestSequence: 1, entries: [], format: seedTwoFormat, sha256 },
    { budget: { ...EMPTY_BUDGET, tier1: set } },
    {
      ...(tier1 && { tier1, prefixText: tier1Text(tier1) }),
      superseded: tier1?.overrides ?? [],
      untold: [],
    },
  );
  return Object.entries(CHECKS).map(([check, says]) => ({
    says,
    result: results.find(result => result.check === check)?.result ?? 'not-evaluated',
    lines: contradictions.flatMap(({ type, data }) =>
      type === 'budget/contradiction' && data.check === check ? [data.derived] : [],
    ),
  }));
}

const NOTHING = { tokens: 0, origin: 'exact' } as const;
