import { svg } from './elements.ts';
import { markShape } from './markShapes.ts';
import type { RequestsData } from './pageData.ts';
import { fillOf } from './patterns.ts';
import { type Plot, stepsOf, ticksOf, xOf, yOf } from './plot.ts';

/** Columns whose number stands below them, at most. */
const MOST_NUMBERS = 8;

/** Tokens of the requests in layers with what limits them, and below them the share of the cache. Said in words elsewhere. */
export function requestsDrawing(data: RequestsData, plot: Plot): SVGElement {
  return svg(
    'g',
    { 'aria-hidden': 'true' },
    text(data.tokensTitle, 0, 12, 'title'),
    ...ticksOf(plot.most).flatMap(tick => gridLine(plot, yOf(plot, tick), tick.toLocaleString())),
    ...layers(data, plot),
    ...marks(data, plot),
    ...(plot.showsLimits ? limits(data, plot) : [text(data.linesAbove, plot.left + 4, plot.top + 12, 'note')]),
    ...numbersBelow(data.points, plot, plot.bottom + 15),
    ...cache(data, plot),
  );
}

function layers({ parts, points }: RequestsData, plot: Plot): readonly SVGElement[] {
  let floor = points.map(() => 0);
  const areas = parts.map(({ key }, part) => {
    // What the provider counted less than the parts is no layer: they end at the total.
    const ceiling = points.map(({ sizes, total }, index) =>
      Math.min(Math.max(0, total), (floor[index] ?? 0) + Math.max(0, sizes[part] ?? 0)),
    );
    const [upper, lower] = [ceiling, floor].map(tokens => tokens.map(each => yOf(plot, each)));
    floor = ceiling;
    const d = `M${plot.left} ${lower?.[0] ?? 0}${stepsOf(plot, upper ?? [])}${stepsOf(plot, lower ?? [], 'left')}Z`;
    return svg('path', { d, fill: fillOf(key), class: 'edge' });
  });
  const tops = points.map(({ total }) => yOf(plot, total));
  return [...areas, svg('path', { d: `M${plot.left} ${tops[0] ?? 0}${stepsOf(plot, tops)}`, class: 'line total' })];
}

function limits({ points, triggerLabel, hardLabel }: RequestsData, plot: Plot): readonly SVGElement[] {
  const lineOf = (kind: 'trigger' | 'hard', label: string) => {
    const ys = points.map(point => yOf(plot, point[kind]));
    const last = ys.at(-1) ?? 0;
    const d = `M${plot.left} ${ys[0] ?? 0}${stepsOf(plot, ys)}H${plot.right}`;
    return [
      svg('path', { d, class: 'casing' }),
      svg('path', { d, class: `line ${kind}` }),
      text(label, plot.right - 4, last - 5, 'note end'),
    ];
  };
  return [...lineOf('trigger', triggerLabel), ...lineOf('hard', hardLabel)];
}

function marks({ points }: RequestsData, plot: Plot): readonly SVGElement[] {
  return points.flatMap((point, index) => {
    const x = xOf(plot, index) + plot.column / 2;
    const [first] = point.marks;
    return first === undefined
      ? []
      : [
          svg('path', { d: `M${x} ${plot.marksAt + 6}V${yOf(plot, point.total)}`, class: `stem ${first}` }),
          ...point.marks.map((kind, place) => markShape(kind, x + place * 11, plot.marksAt)),
        ];
  });
}

function cache({ points, cacheTitle }: RequestsData, plot: Plot): readonly SVGElement[] {
  if (!plot.cache) {
    return [];
  }
  const { top, bottom } = plot.cache;
  const y = (share: number): number => bottom - (Math.min(100, share) / 100) * (bottom - top);
  const gap = plot.column >= 4 ? 1 : 0;
  const bars = points.flatMap(({ cached }, index) =>
    cached === undefined
      ? []
      : [
          svg('rect', {
            x: xOf(plot, index),
            y: y(cached),
            width: plot.column - gap,
            height: Math.max(1, bottom - y(cached)),
            class: 'cache edge',
          }),
        ],
  );
  return [
    text(cacheTitle, 0, top - 8, 'title'),
    ...[0, 50, 100].flatMap(share => gridLine(plot, y(share), `${share}%`)),
    ...bars,
    ...numbersBelow(points, plot, bottom + 15),
  ];
}

function numbersBelow(points: RequestsData['points'], plot: Plot, y: number): readonly SVGElement[] {
  const each = Math.max(1, Math.ceil(points.length / MOST_NUMBERS), Math.ceil(50 / plot.column));
  return points.flatMap(({ request }, index) =>
    index % each === 0 ? [text(String(request), xOf(plot, index) + plot.column / 2, y, 'axis middle')] : [],
  );
}

function gridLine({ left, right }: Plot, y: number, label: string): readonly SVGElement[] {
  return [svg('path', { d: `M${left} ${y}H${right}`, class: 'grid' }), text(label, left - 6, y + 4, 'axis end')];
}

function text(words: string, x: number, y: number, kind: string): SVGElement {
  return svg('text', { x, y, class: kind }, words);
}
