import type { BudgetEvent } from '../../protocol/budget/budgetEvents.ts';
import type { BudgetState } from '../../protocol/budget/budgetState.ts';
import { transcriptLength } from '../../protocol/budget/classification.ts';
import type { ViewEntry } from '../../protocol/lifecycle/view.ts';

/** A document in the transcript that its source can give again. */
export interface GivenDocument {
  /** A file's path, or another name that stays the same: by it, messages and calls refer to it. */
  readonly document: string;
  /** Places in `messages` of the request; messages that hold nothing else. */
  readonly messages: readonly number[];
  /** Of its text; absent where nobody knows. */
  readonly sha256?: string;
  /** It was used since the request before, in a way that no message tells. */
  readonly touched?: boolean;
}

/** seed 3, rule 1: what an agent loaded as it needed it is recorded, once for each place that it has; it counts in tier 2. */
export function documentEvents(
  given: readonly GivenDocument[],
  entries: readonly ViewEntry[],
  { documents }: BudgetState,
  requestSequence: number,
): readonly BudgetEvent[] {
  const length = transcriptLength({ entries });
  return given.flatMap(({ document, messages, sha256, touched = false }): readonly BudgetEvent[] => {
    const places = new Set(messages);
    const units = entries.flatMap(({ host, keys }) => (host !== undefined && places.has(host) ? keys : []));
    const known = documents.get(document);
    const isKnown = known?.units.join('\n') === units.join('\n') && known.sha256 === sha256;
    if (units.length > 0 && !isKnown) {
      const hash = sha256 !== undefined && { sha256 };
      return [{ type: 'budget/document', data: { document, units, ...hash, messages: length, requestSequence } }];
    }
    return touched && known
      ? [{ type: 'budget/document-touched', data: { document, messages: length, requestSequence } }]
      : [];
  });
}
