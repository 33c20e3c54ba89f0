import type { PointData, RequestsData } from './pageData.ts';

/** Where things lie in the drawing of requests, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  /** Of the tokens: where the largest number and where 0 lies. */
  readonly top: number;
  readonly bottom: number;
  readonly marksAt: number;
  readonly column: number;
  /** Of the share of the cache; absent where nothing is known of it. */
  readonly cache?: { readonly top: number; readonly bottom: number };
  readonly height: number;
  /** The number of tokens at `top`. */
  readonly most: number;
  /** Whether the limits are drawn: a session far below them would be a flat line. */
  readonly showsLimits: boolean;
}

const LEFT = 70;
const RIGHT = 10;
const TOKENS_HEIGHT = 230;
const CACHE_HEIGHT = 60;
const AXIS = 22;
const TITLE = 22;
const MARKS = 18;
const WIDEST_COLUMN = 36;

export function plotOf({ points }: RequestsData, width: number): Plot {
  const right = Math.max(LEFT + 60, width - RIGHT);
  const top = TITLE + MARKS;
  const bottom = top + TOKENS_HEIGHT;
  const peak = maximum(points, ({ total }) => total);
  const showsLimits = peak * 4 >= maximum(points, ({ trigger }) => trigger);
  const cacheTop = bottom + AXIS + TITLE;
  const hasCache = points.some(({ cached }) => cached !== undefined);
  return {
    left: LEFT,
    right,
    top,
    bottom,
    marksAt: TITLE + MARKS / 2 - 2,
    column: Math.min(WIDEST_COLUMN, (right - LEFT) / Math.max(1, points.length)),
    ...(hasCache && { cache: { top: cacheTop, bottom: cacheTop + CACHE_HEIGHT } }),
    height: hasCache ? cacheTop + CACHE_HEIGHT + AXIS : bottom + AXIS,
    most: Math.max(1, peak, showsLimits ? maximum(points, ({ hard }) => hard) : 0) * 1.06,
    showsLimits,
  };
}

function maximum(points: readonly PointData[], of: (point: PointData) => number): number {
  return points.reduce((most, point) => Math.max(most, of(point)), 0);
}

export function xOf({ left, column }: Plot, index: number): number {
  return round(left + index * column);
}

export function yOf({ top, bottom, most }: Plot, tokens: number): number {
  return round(bottom - (Math.max(0, tokens) / most) * (bottom - top));
}

/** A line with a step at each column, as the rest of a path that stands at its first point. */
export function stepsOf(plot: Plot, ys: readonly number[], to: 'right' | 'left' = 'right'): string {
  const columns = ys.map((y, index) => ({ y, from: xOf(plot, index), to: xOf(plot, index + 1) }));
  return to === 'right'
    ? columns.map(({ y, from, to: end }) => `L${from} ${y}L${end} ${y}`).join('')
    : columns
        .toReversed()
        .map(({ y, from, to: end }) => `L${end} ${y}L${from} ${y}`)
        .join('');
}

/** Round numbers up to the largest, at most five. */
export function ticksOf(most: number): readonly number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

function round(place: number): number {
  return Math.round(place * 100) / 100;
}
