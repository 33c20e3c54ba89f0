import type { ViewEntry } from '../lifecycle/view.ts';
import type { KnownOrder } from '../request/appended.ts';
import type { Edit } from './budgetEvents.ts';
import type { EditedEntry } from './editedEntry.ts';
import { EditedView } from './memo/editedView.ts';
import { newWork } from './memo/planningWork.ts';

export { type EditedEntry, isAnswer } from './editedEntry.ts';

/** Those that no later one replaces; of a document that was loaded again, and of an archive, there is nothing to see. */
export function editsInForce(edits: readonly Edit[]): readonly Edit[] {
  const replaced = new Set(edits.flatMap(({ replaces }) => replaces));
  return edits.filter(({ edit }) => !replaced.has(edit));
}

/**
 * The view as these edits leave it, which are all in force. It depends on them and the view alone, so a replay makes the same
 * one. A group goes only as a whole, when every unit of it belongs to the edit; what stands for it stands where the first of
 * its groups stood. Where the host keeps none of an edit's units any more, what the host has in their place stands for them. The
 * last question of a user is never taken; nor is the one in front of an answer with which the view would begin, since the APIs
 * of models refuse that.
 */
export function applyEdits<Entry extends ViewEntry>(
  view: readonly Entry[],
  edits: readonly Edit[],
  order?: KnownOrder,
): readonly (Entry | EditedEntry)[] {
  return edits.length === 0 ? view : new EditedView(newWork()).apply(view, edits, order).entries;
}
