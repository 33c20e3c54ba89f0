import { svg } from './elements.ts';

/** What is laid over the colour of a part, so that no part is told by its colour alone. */
const HATCHES: Readonly<Record<string, string>> = {
  host: 'M0 0H8M0 4H8',
  tier1: '',
  tier2: 'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  tier3: 'M2 0V8M6 0V8',
  tier4: 'M1 2H3M5 6H7',
  unattributed: 'M0 4H8M4 0V8',
};

/** The fills of all parts; they stand in the page once, and drawings name them. */
export function patterns(): SVGElement {
  const defined = Object.entries(HATCHES).map(([part, path]) =>
    svg(
      'pattern',
      { id: `fill-${part}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
      svg('rect', { width: 8, height: 8, class: `tone ${part}` }),
      svg('path', { d: path, class: 'hatch' }),
    ),
  );
  return svg('svg', { class: 'patterns', 'aria-hidden': 'true' }, svg('defs', {}, ...defined));
}

export function fillOf(part: string): string {
  return `url(#fill-${part})`;
}

/** A small piece of a part's fill, for beside its name. */
export function swatch(part: string): SVGElement {
  return svg(
    'svg',
    { class: 'swatch', width: 14, height: 14, 'aria-hidden': 'true' },
    svg('rect', { x: 0.5, y: 0.5, width: 13, height: 13, fill: fillOf(part), class: 'edge' }),
  );
}
