import { svg } from './elements.ts';
import type { MarkKind } from './pageData.ts';

/** Each kind of mark by its own shape, around the middle of 10 by 10. */
const SHAPES = {
  compression: 'M-5 -4H5L0 5Z',
  emergency: 'M-5 -5H5L0 0ZM-5 0H5L0 5Z',
  discard: 'M-4 -5L0 -1L4 -5L5 -4L1 0L5 4L4 5L0 1L-4 5L-5 4L-1 0L-5 -4Z',
  blocked: 'M-4 -4H4V4H-4Z',
} as const satisfies Record<MarkKind, string>;

/** A mark with its middle at this place. */
export function markShape(kind: MarkKind, x: number, y: number): SVGElement {
  return svg('path', { d: SHAPES[kind], class: `mark ${kind}`, transform: `translate(${x} ${y})` });
}

/** The same for beside its name. */
export function markSign(kind: MarkKind): SVGElement {
  return svg('svg', { class: 'swatch', width: 14, height: 14, 'aria-hidden': 'true' }, markShape(kind, 7, 7));
}

/** A piece of a line, for beside its name. */
export function lineSign(kind: 'trigger' | 'hard'): SVGElement {
  return svg(
    'svg',
    { class: 'swatch', width: 14, height: 14, 'aria-hidden': 'true' },
    svg('path', { d: 'M0 7H14', class: `line ${kind}` }),
  );
}
