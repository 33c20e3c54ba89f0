import { count, finite, maybe, type Of, oneOf, record } from '../shape.ts';

/** Where a number comes from (DESIGN, Numbers). */
const ORIGINS = ['exact', 'anchored', 'estimated'] as const;

/** A number of tokens, and where it comes from. */
export const amount = record({ tokens: count, origin: oneOf(...ORIGINS) });

/** Tokens with their origin. */
export type Amount = Of<typeof amount>;

/** An amount that may be below zero: what none of the parts explains. */
export const signedAmount = record({ tokens: finite, origin: oneOf(...ORIGINS) });

/** A part of a request, in the order in which a model reads it. */
export const PARTS = ['config', 'system', 'tools', 'prefix', 'messages'] as const;

/** The first difference between a request and the one before, as structure and bytes (tiers 5). */
export const divergence = record({
  part: oneOf(...PARTS),
  /** Which tool or message; absent for a part that is no list. */
  index: maybe(count),
  /** Bytes of the part (of the item, in a list) that both share, from its start. */
  offset: count,
});

/** tiers 5: what a change costs at the provider's cache. */
export const price = record({
  divergence: maybe(divergence),
  /** Tokens behind the divergence that are sent all the same. */
  rewritten: amount,
  /** Tokens that are sent no more. */
  freed: amount,
  /** Requests until what is freed has paid for what is rewritten; absent when it never does. */
  breakEven: maybe(count),
});

export type Price = Of<typeof price>;

/** No tokens. */
export const NOTHING: Amount = { tokens: 0, origin: 'exact' };

/** All of them together. */
export function sumOf(amounts: readonly Amount[]): Amount {
  let { tokens, origin } = NOTHING;
  for (const amount of amounts) {
    tokens += amount.tokens;
    origin = weaker(origin, amount.origin);
  }
  return { tokens, origin };
}

/** A sum is as good as its worst part. */
export function weaker(left: Amount['origin'], right: Amount['origin']): Amount['origin'] {
  return STRENGTH[left] <= STRENGTH[right] ? left : right;
}

const STRENGTH = { estimated: 0, anchored: 1, exact: 2 } as const;
