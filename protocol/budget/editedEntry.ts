import type { ViewEntry } from '../lifecycle/view.ts';
import type { Edit } from './budgetEvents.ts';

/** An entry of an edited view. */
export interface EditedEntry extends ViewEntry {
  /** The edit whose message it is; absent for the entries of the view itself. */
  readonly edit?: Edit;
}

/** The identity of an edit's message in a view: no unit of a transcript has it. */
export function editKey({ edit }: Pick<Edit, 'edit'>): string {
  return `budget:${edit}`;
}

/** The number of the edit whose message has this identity; absent for what is no edit's. */
export function editNumber(key: string): number | undefined {
  const [, number] = /^budget:(\d+)$/.exec(key) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** What an edit shows; absent where nothing stands for what it took, or the log keeps no content. */
export function entryOf(edit: Edit): EditedEntry | undefined {
  const { message } = edit;
  return message
    ? Object.freeze({ message, changed: false, keys: [editKey(edit)], calls: [], answers: [], edit })
    : undefined;
}

/** Whether an entry is what a model, or a tool that it called, has said. */
export function isAnswer(entry: ViewEntry | undefined): boolean {
  return entry?.role === 'assistant' || entry?.role === 'tool' || entry?.item === true;
}
