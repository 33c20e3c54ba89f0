import type { Limits, Sourced } from './budgetEvents.ts';

/** What is known of a model's window, each number with who said it. */
export interface KnownLimits {
  readonly window: Sourced;
  readonly inputLimit?: Sourced;
  /** The output that the request asks for at most. */
  readonly outputReserve?: Sourced;
  /** Of the request; absent where nobody names it. */
  readonly model?: string;
}

/** What a provider taught, of one model or of whatever is asked. */
interface Learned extends Sourced {
  readonly model?: string;
}

/** One of the numbers of which the least is the hard limit. */
interface Term {
  readonly binds: Limits['binds'];
  readonly tokens: number;
}

/** seed 3, rule 1: what a tier may take of the window, in hundredths; the rest is for the answer. */
export const TIER_SHARES = { tier1: 5, tier2: 25, tier3: 30, tier4: 30 } as const;

export type Tier = keyof typeof TIER_SHARES;

export const TIERS = ['tier1', 'tier2', 'tier3', 'tier4'] as const satisfies readonly Tier[];

/** seed 3, rule 2: compression begins above it. */
const TRIGGER_SHARE = 70;

/** seed 3, rule 4: never exceeded. */
const HARD_SHARE = 90;

/** tiers 4, rule 4: the soft alert. */
const NEAR_SHARE = 85;

/** tiers 4, rule 2: raw history that grew by so much may be compressed again. */
const REARM_SHARE = 5;

/**
 * The limit in force (tiers 2): the least of nine tenths of the window, what the answer leaves of it, what the provider lets
 * in, and what an error taught of this model. Where two are equal the first of these binds.
 */
export function limitsOf(known: KnownLimits, taught?: Learned): Limits {
  const { window, inputLimit, outputReserve, model } = known;
  const isAnothers = model !== undefined && taught?.model !== undefined && taught.model !== model;
  const learned = isAnothers ? undefined : taught;
  let least: Term = { binds: 'window', tokens: shareOf(window.tokens, HARD_SHARE) };
  const others: readonly (readonly [Term['binds'], number | undefined])[] = [
    ['output-reserve', outputReserve && Math.max(0, window.tokens - outputReserve.tokens)],
    ['input-limit', inputLimit?.tokens],
    ['learned', learned?.tokens],
  ];
  for (const [binds, tokens] of others) {
    if (tokens !== undefined && tokens < least.tokens) {
      least = { binds, tokens };
    }
  }
  return {
    window,
    ...(inputLimit && { inputLimit }),
    ...(outputReserve && { outputReserve }),
    ...(learned && { learned: { tokens: learned.tokens, source: learned.source } }),
    hard: least.tokens,
    binds: least.binds,
  };
}

/** What a tier may take, in tokens. */
export function tierMaximum({ window }: Pick<Limits, 'window'>, tier: Tier): number {
  return shareOf(window.tokens, TIER_SHARES[tier]);
}

/**
 * A request that takes more is compressed: seven tenths of the window. Where the hard limit lies below that, it is the hard limit:
 * compression keeps more than the emergency does, so it comes first.
 */
export function triggerOf({ window, hard }: Pick<Limits, 'window' | 'hard'>): number {
  return Math.min(shareOf(window.tokens, TRIGGER_SHARE), hard);
}

export function isOverTrigger(total: number, limits: Pick<Limits, 'window' | 'hard'>): boolean {
  return total > triggerOf(limits);
}

export function isNearLimit(total: number, { window, hard }: Pick<Limits, 'window' | 'hard'>): boolean {
  return total * 100 > window.tokens * NEAR_SHARE || total * HARD_SHARE > hard * NEAR_SHARE;
}

/** Tokens by which raw history must have grown to be compressed again. */
export function rearmGrowth({ window }: Pick<Limits, 'window'>): number {
  return shareOf(window.tokens, REARM_SHARE);
}

/** Hundredths of a number, rounded down, without the errors of a floating point. */
function shareOf(tokens: number, hundredths: number): number {
  return Math.floor((tokens * hundredths) / 100);
}
