import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { SHOW_MORE_COMMAND } from '../names.ts';
import type { Row } from './row.ts';
import { type Wording } from './wording.ts';

/** Rows of one list that are made at most, until a person asks for more. */
export const PAGE = 200;

/** How many pages of each list are shown. */
export class Pages {
  readonly #shown = new Map<string, number>();

  /** Rows that the list shows. */
  limit(list: string): number {
    return (this.#shown.get(list) ?? 1) * PAGE;
  }

  showMore(list: string): void {
    this.#shown.set(list, (this.#shown.get(list) ?? 1) + 1);
  }
}

/** What a list is made with. */
export interface Paging {
  readonly pages: Pages;
  /** Of the view, which is drawn anew when more is wanted. */
  readonly view: string;
  readonly wording: Wording;
}

/** The rows of a list of which only the first pages are made; behind them stands a row that shows more. */
export function pagedRows(
  list: string,
  count: number,
  make: (index: number) => Row | undefined,
  paging: Paging,
): readonly Row[] {
  const limit = paging.pages.limit(list);
  const rows: Row[] = [];
  for (let index = 0; index < Math.min(count, limit); index++) {
    const row = make(index);
    if (row) {
      rows.push(row);
    }
  }
  return count > limit ? [...rows, moreRow(list, paging, count - limit)] : rows;
}

/** Stands behind the rows of a list that has more; `left` is absent where nobody has counted them. */
export function moreRow(list: string, { view, wording: { say } }: Paging, left?: number): Row {
  const title = say(sentence('Show more'));
  return {
    id: `${list}/more`,
    label: title,
    ...(left !== undefined && { description: say(sentence('{0} left', grouped(left))) }),
    icon: 'ellipsis',
    kind: 'more',
    command: { command: SHOW_MORE_COMMAND, title, arguments: [view, list] },
  };
}
