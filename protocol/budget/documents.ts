import type { DocumentState } from './budgetState.ts';
import type { BudgetView } from './budgetView.ts';
import { transcriptLength } from './classification.ts';
import { textsIn } from './summary/summaryGroups.ts';

/** seed 3, rule 4: a document that was not referred to in so many messages may be unloaded. */
const RECENT_MESSAGES = 50;

/**
 * Whether one of the last messages refers to a document: it was loaded or used then, or a text or an argument of a call
 * names it, by its whole name or the last part of that.
 */
export function isReferenced({ document, units, messages }: DocumentState, view: BudgetView): boolean {
  const from = transcriptLength(view) - RECENT_MESSAGES;
  if (messages - 1 >= from) {
    return true;
  }
  const own = new Set(units);
  const names = [document, document.split(/[/\\]/).at(-1) ?? document].filter(name => name !== '');
  return view.entries.some(
    ({ host = -1, message, keys }) =>
      host >= from &&
      !keys.some(key => own.has(key)) &&
      textsIn(message).some(text => names.some(name => text.includes(name))),
  );
}
