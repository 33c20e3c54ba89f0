import { columns } from './columns.ts';
import { html, svg } from './elements.ts';
import { markSign } from './markShapes.ts';
import type { RequestsData } from './pageData.ts';
import { swatch } from './patterns.ts';
import { plotOf } from './plot.ts';
import { requestsDrawing } from './requestsDrawing.ts';
import { requestsTable } from './requestsTable.ts';

/** How the requests are shown, and what of them is asked for. */
export interface RequestsView {
  readonly asTable: boolean;
  /** The request that had the keys last; absent before any. */
  readonly request?: number | undefined;
  readonly width: number;
  readonly toggle: () => void;
  readonly took: (request: number) => void;
  readonly open: (request: number) => void;
}

/** All requests, as a chart or as a table. */
export function drawRequests(data: RequestsData, view: RequestsView): readonly HTMLElement[] {
  const label = view.asTable ? data.showChart : data.showTable;
  const toggle = html('button', { 'data-key': 'toggle' }, label);
  toggle.addEventListener('click', view.toggle);
  return [
    html('div', { class: 'head' }, html('h2', {}, data.title), toggle),
    ...(view.asTable ? [requestsTable(data, view.open)] : chart(data, view)),
  ];
}

function chart(data: RequestsData, view: RequestsView): readonly HTMLElement[] {
  const { points } = data;
  const plot = plotOf(data, view.width);
  const found = points.findLastIndex(({ request }) => request === view.request);
  const at = found < 0 ? points.length - 1 : found;
  const detail = html('p', { class: 'told', 'aria-hidden': 'true' }, points[at]?.label ?? '');
  const around = html('div', { role: 'group', 'aria-label': data.description, 'aria-describedby': 'hint' });
  const drawing = svg(
    'svg',
    { width: view.width, height: plot.height },
    requestsDrawing(data, plot),
    ...columns(data, plot, at, around, {
      look: ({ label }) => {
        detail.textContent = label;
      },
      take: view.took,
      open: view.open,
    }),
  );
  around.append(drawing);
  return [
    detail,
    around,
    ...(plot.cache ? [] : [html('p', { class: 'detail' }, data.noCache)]),
    legend(data),
    html('p', { id: 'hint', class: 'detail' }, data.hint),
  ];
}

function legend({ parts, marks, points }: RequestsData): HTMLElement {
  const seen = new Set(points.flatMap(point => point.marks));
  return html(
    'ul',
    { class: 'legend' },
    ...parts.map(({ key, label }) => html('li', {}, swatch(key), label)),
    ...marks.filter(({ kind }) => seen.has(kind)).map(({ kind, label }) => html('li', {}, markSign(kind), label)),
  );
}
