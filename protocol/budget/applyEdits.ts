import type { ViewEntry } from '../lifecycle/view.ts';
import { type KnownOrder, placeAppended, type ToAppend } from '../request/appended.ts';
import type { JsonObject } from '../request/json.ts';
import type { Edit } from './budgetEvents.ts';
import { type Group, groupsOf, isQuestion } from './groups.ts';

/** An entry of an edited view. */
export interface EditedEntry extends ViewEntry {
  /** The edit whose message it is; absent for the entries of the view itself. */
  readonly edit?: Edit;
}

/** The identity of an edit's message in a view: no unit of a transcript has it. */
function editKey({ edit }: Pick<Edit, 'edit'>): string {
  return `budget:${edit}`;
}

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
  if (edits.length === 0) {
    return view;
  }
  const covered = coverageOf(view, edits);
  const notices = edits.filter(isPlaced);
  const followed = new Set(notices.map(({ follows }) => follows));
  /** What stands where a unit stood that a notice follows. */
  const standsFor = new Map<string, string>();
  /** Of those that went before anything was shown, the last. */
  let question: readonly Entry[] | undefined;
  const shown = new Set<Edit>();
  const left: (Entry | EditedEntry)[] = [];
  const groups = covered.size > 0 ? groupsOf(view) : [{ entries: view, keys: [] }];
  const asked = covered.size > 0 ? groups.findLast(isQuestion) : undefined;
  for (const group of groups) {
    const found = editOf(group, covered);
    // Whatever is said again is the same unit where the host dropped the first.
    const edit = group === asked && found?.kind !== 'unload' ? undefined : found;
    if (!edit) {
      left.push(...group.entries);
      continue;
    }
    if (left.length === 0 && isQuestion(group)) {
      question = group.entries;
    }
    if (!shown.has(edit)) {
      shown.add(edit);
      left.push(...standIn(edit));
    }
    for (const key of followed.size > 0 ? group.keys : []) {
      if (followed.has(key)) {
        standsFor.set(key, edit.message ? editKey(edit) : (left.at(-1)?.keys.at(-1) ?? ''));
      }
    }
  }
  const placed = withPlaced(left, notices, standsFor, order);
  return question && isAnswer(placed[0]) ? [...question, ...placed] : placed;
}

/** What is appended; and what a session took over from another one, which stands for no unit of this one. */
function isPlaced({ kind, units }: Edit): boolean {
  return kind === 'append' || (kind === 'summarize' && units.length === 0);
}

/**
 * Which edit each unit belongs to. An edit whose last unit is gone covers none: a transcript that was taken back to a place
 * within it is shown as it is, and no summary tells of what was undone.
 */
function coverageOf(view: readonly ViewEntry[], edits: readonly Edit[]): ReadonlyMap<string, Edit> {
  const covered = new Map<string, Edit>();
  if (edits.every(({ units }) => units.length === 0)) {
    return covered;
  }
  const present = new Set(view.flatMap(({ keys }) => keys));
  for (const edit of edits) {
    if (present.has(edit.units.at(-1) ?? '')) {
      for (const unit of edit.units) {
        covered.set(unit, edit);
      }
    }
  }
  return covered;
}

/** The one edit that all units of a group belong to. */
function editOf({ keys }: Pick<Group, 'keys'>, covered: ReadonlyMap<string, Edit>): Edit | undefined {
  const [first = ''] = keys;
  const edit = covered.get(first);
  return edit && keys.every(key => covered.get(key) === edit) ? edit : undefined;
}

/** Whether an entry is what a model, or a tool that it called, has said. */
export function isAnswer(entry: ViewEntry | undefined): boolean {
  return entry?.role === 'assistant' || entry?.role === 'tool' || entry?.item === true;
}

function standIn(edit: Edit): readonly EditedEntry[] {
  return edit.message ? [entryOf(edit, edit.message)] : [];
}

function entryOf(edit: Edit, message: JsonObject): EditedEntry {
  return { message, changed: false, keys: [editKey(edit)], calls: [], answers: [], edit };
}

/** DESIGN, flow 2: each after the unit that it follows, or what stands for that unit; never between a call and its result. */
function withPlaced<Entry extends ViewEntry>(
  left: readonly (Entry | EditedEntry)[],
  notices: readonly Edit[],
  standsFor: ReadonlyMap<string, string>,
  order: KnownOrder | undefined,
): readonly (Entry | EditedEntry)[] {
  const byKey = new Map<string, EditedEntry>();
  const toAppend: ToAppend[] = [];
  for (const edit of notices) {
    if (edit.message) {
      const { follows = '' } = edit;
      byKey.set(editKey(edit), entryOf(edit, edit.message));
      toAppend.push({ message: edit.message, key: editKey(edit), after: standsFor.get(follows) ?? follows });
    }
  }
  if (toAppend.length === 0) {
    return left;
  }
  return placeAppended(left, toAppend, order).map(entry => byKey.get(entry.keys[0] ?? '') ?? entry);
}
