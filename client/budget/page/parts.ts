import { html, svg } from './elements.ts';
import { lineSign } from './markShapes.ts';
import type { PartRow, PartsData } from './pageData.ts';
import { fillOf, swatch } from './patterns.ts';

/** What one request takes: a table whose second column shows each row as a bar over the window. */
export function drawParts(data: PartsData): readonly HTMLElement[] {
  const { title, columns, rows, triggerLabel, hardLabel, whatIf } = data;
  const head = html('tr', {}, ...columns.map(column => html('th', { scope: 'col' }, column)));
  const body = rows.map(row =>
    html(
      'tr',
      { class: row.isOver ? `${row.key} over` : row.key },
      html(
        'th',
        { scope: 'row' },
        ...(row.key === 'total' ? [] : [swatch(row.key)]),
        `${row.label} `,
        html('span', { class: 'detail' }, row.detail),
      ),
      html('td', { class: 'bar' }, barOf(row, data)),
      html('td', { class: 'number' }, row.amount),
      html('td', { class: 'number' }, row.percent),
    ),
  );
  return [
    html('h2', {}, title),
    html('table', { class: 'parts', 'aria-label': title }, html('thead', {}, head), html('tbody', {}, ...body)),
    html(
      'ul',
      { class: 'legend' },
      html('li', {}, lineSign('trigger'), triggerLabel),
      html('li', {}, lineSign('hard'), hardLabel),
    ),
    // While its words are awaited its line is there, so that nothing below it moves when they come.
    ...(whatIf === undefined ? [] : [html('p', { class: 'what-if' }, whatIf)]),
  ];
}

/** All bars have the same scale, so that a part that is over its maximum sticks out of it. */
function barOf(row: PartRow, data: PartsData): SVGElement {
  const total = data.rows.find(({ key }) => key === 'total')?.tokens ?? 0;
  const scale = Math.max(data.window, total, 1);
  const share = (tokens: number): string => `${(Math.max(0, tokens) / scale) * 100}%`;
  const bar = (from: number, to: number, key: string) =>
    svg('rect', { x: share(from), y: 3, width: share(to - from), height: 12, fill: fillOf(key), class: 'edge' });
  const line = (at: number, kind: string) =>
    ['casing', `line ${kind}`].map(name => svg('line', { x1: share(at), x2: share(at), y1: 0, y2: 18, class: name }));
  const drawn: SVGElement[] = [];
  if (row.max !== undefined) {
    drawn.push(svg('rect', { x: 0, y: 3, width: share(row.max), height: 12, class: 'track' }));
  }
  if (row.key === 'total') {
    let from = 0;
    for (const { key, tokens } of data.rows) {
      const to = key === 'total' ? from : Math.min(total, from + Math.max(0, tokens));
      drawn.push(bar(from, to, key));
      from = to;
    }
    drawn.push(...line(data.trigger, 'trigger'), ...line(data.hard, 'hard'));
  } else {
    drawn.push(bar(0, row.tokens, row.key));
    if (row.max !== undefined) {
      drawn.push(...line(row.max, 'most'));
    }
  }
  return svg('svg', { width: '100%', height: 18, 'aria-hidden': 'true' }, ...drawn);
}
