import { svg } from './elements.ts';
import type { PointData, RequestsData } from './pageData.ts';
import { type Plot, xOf } from './plot.ts';

/** What a person does with a request. */
export interface Acts {
  /** The keys or the mouse are at it. */
  readonly look: (point: PointData) => void;
  /** It has the keys. */
  readonly take: (request: number) => void;
  readonly open: (request: number) => void;
}

/** Narrower than this a frame could not be seen. */
const NARROWEST_FRAME = 5;

/**
 * A column for each request over the whole drawing: one of them takes the keys (a roving tab stop), and all of them the mouse.
 * `at` is the one that had them last. `around` hears what happens to them: a group of a drawing that listens would be a tab stop itself.
 */
export function columns(
  { points }: RequestsData,
  plot: Plot,
  at: number,
  around: HTMLElement,
  acts: Acts,
): readonly SVGElement[] {
  const frame = svg('rect', {
    class: 'frame',
    y: plot.top - 20,
    height: plot.height - plot.top,
    'aria-hidden': 'true',
  });
  const drawn = points.map((point, index) =>
    svg('rect', {
      class: 'column',
      x: xOf(plot, index),
      y: plot.top - 20,
      width: plot.column,
      height: plot.height - plot.top + 20,
      role: point.canOpen ? 'button' : 'img',
      tabindex: index === at ? 0 : -1,
      'aria-label': point.label,
      // Where a request was blocked, the one that was sent in its place has the same number.
      'data-key': `request-${point.request}${point.canOpen ? '' : '-blocked'}`,
    }),
  );
  let current = at;
  const look = (index: number): void => {
    const point = points[index];
    if (point) {
      const width = Math.max(NARROWEST_FRAME, plot.column);
      frame.setAttribute('x', String(xOf(plot, index) + (plot.column - width) / 2));
      frame.setAttribute('width', String(width));
      acts.look(point);
    }
  };
  const indexOf = ({ target }: Event): number => drawn.indexOf(target as SVGRectElement);
  around.addEventListener('focusin', event => {
    drawn[current]?.setAttribute('tabindex', '-1');
    current = indexOf(event);
    drawn[current]?.setAttribute('tabindex', '0');
    look(current);
    acts.take(points[current]?.request ?? 0);
  });
  around.addEventListener('pointerover', event => look(indexOf(event)));
  around.addEventListener('click', event => open(indexOf(event)));
  around.addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      open(current);
      return;
    }
    const next = nextOf(event.key, current, points.length);
    if (next !== undefined) {
      event.preventDefault();
      drawn[next]?.focus();
    }
  });
  return [frame, ...drawn];

  function open(index: number): void {
    const point = points[index];
    if (point?.canOpen) {
      acts.open(point.request);
    }
  }
}

/** Where a key leads; absent for keys that mean nothing here. */
function nextOf(key: string, at: number, count: number): number | undefined {
  const far = Math.max(1, Math.round(count / 10));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    PageDown: at + far,
    PageUp: at - far,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}
