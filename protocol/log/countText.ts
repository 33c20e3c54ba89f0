import type { Amount } from './sessionEvents.ts';

/** `12,345`, the same in every locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** DESIGN, Numbers: an estimate carries a `~`, a number that is anchored to the provider's a `≈`, an exact one nothing. */
const MARKS = { estimated: '~', anchored: '≈', exact: '' } as const satisfies Record<Amount['origin'], string>;

/** `~1,093`: tokens with the mark of where the number comes from; the number may be negative. */
export function countText({ tokens, origin }: Amount): string {
  return `${MARKS[origin]}${tokens < 0 ? '-' : ''}${grouped(Math.abs(tokens))}`;
}
