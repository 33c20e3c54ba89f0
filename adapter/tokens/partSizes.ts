import type { Amount, Sizes } from '../../protocol/log/sessionEvents.ts';
import type { Sample } from './calibration.ts';

/** What was counted here, in tokens of o200k_base. */
export interface LocalCount {
  readonly tokens: number;
  /** Every text of it was counted, and nothing in it is an image or the like. */
  readonly exact: boolean;
}

/** The parts of a request that have tokens. */
export const SIZED_PARTS = ['system', 'tools', 'prefix', 'messages'] as const;

export type LocalCounts = Readonly<Record<(typeof SIZED_PARTS)[number], LocalCount>>;

/** How local counts are to be read for a model. */
export interface Reading {
  /** The model reads o200k_base itself. */
  readonly ownVocabulary: boolean;
  /** What one token here is there; 1 where nothing was learned. */
  readonly factor: number;
  /** For a request of the same kind as this one. */
  readonly anchor?: Sample | undefined;
}

/** An amount as the model's provider would count it. Nothing but nothing becomes zero. */
export function readAmount({ tokens, exact }: LocalCount, { ownVocabulary, factor, anchor }: Reading): Amount {
  if (tokens === 0 || (ownVocabulary && exact)) {
    return { tokens, origin: 'exact' };
  }
  const scaled = ownVocabulary ? tokens : Math.max(1, Math.round(tokens * factor));
  return { tokens: scaled, origin: anchor && exact ? 'anchored' : 'estimated' };
}

/**
 * The size of each part, and of the whole. With an anchor the whole is the provider's number plus what was added since;
 * what the parts do not explain of it is `unattributed` (how a provider frames messages, mostly), so that they always add up.
 */
export function partSizes(counts: LocalCounts, reading: Reading): Sizes {
  const { ownVocabulary, factor, anchor } = reading;
  const amounts = {
    system: readAmount(counts.system, reading),
    tools: readAmount(counts.tools, reading),
    prefix: readAmount(counts.prefix, reading),
    messages: readAmount(counts.messages, reading),
  };
  const explained = SIZED_PARTS.reduce((sum, part) => sum + amounts[part].tokens, 0);
  if (!anchor) {
    const unattributed = { tokens: 0, origin: 'estimated' } as const;
    return { ...amounts, unattributed, total: { tokens: explained, origin: 'estimated' } };
  }
  const added = localTotal(counts) - anchor.local;
  const total = Math.max(0, anchor.provider + Math.round(added * (ownVocabulary ? 1 : factor)));
  return {
    ...amounts,
    unattributed: { tokens: total - explained, origin: 'anchored' },
    total: { tokens: total, origin: 'anchored' },
  };
}

/**
 * What the provider counted of the anchor's request beyond its texts (how it frames messages, mostly), and will count of any
 * request of its kind; absent without an anchor. What the factor explains is in the parts.
 */
export function unattributedOf({ ownVocabulary, factor, anchor }: Reading): Sizes['unattributed'] | undefined {
  return (
    anchor && { tokens: anchor.provider - Math.round(anchor.local * (ownVocabulary ? 1 : factor)), origin: 'anchored' }
  );
}

export function localTotal(counts: LocalCounts): number {
  return SIZED_PARTS.reduce((sum, part) => sum + counts[part].tokens, 0);
}
