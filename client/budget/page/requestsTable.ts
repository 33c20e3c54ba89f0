import { html } from './elements.ts';
import type { RequestsData } from './pageData.ts';

/** The same requests as a table, the newest first; the number of one that can be shown opens it. */
export function requestsTable({ title, columns, points }: RequestsData, open: (request: number) => void): HTMLElement {
  const head = html('tr', {}, ...columns.map(column => html('th', { scope: 'col' }, column)));
  const rows = points.toReversed().map(({ request, cells, canOpen }) => {
    const [name = '', ...others] = cells;
    const opener = html('button', { class: 'link', 'data-key': `request-${request}` }, name);
    opener.addEventListener('click', () => open(request));
    return html(
      'tr',
      {},
      html('th', { scope: 'row' }, canOpen ? opener : name),
      ...others.map((cell, index) => html('td', index < others.length - 1 ? { class: 'number' } : {}, cell)),
    );
  });
  return html(
    'div',
    { class: 'scroll' },
    html('table', { class: 'requests', 'aria-label': title }, html('thead', {}, head), html('tbody', {}, ...rows)),
  );
}
