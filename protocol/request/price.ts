import { type Amount, NOTHING, type Price, sumOf, weaker } from '../log/amounts.ts';
import { utf8Length } from '../utf8Length.ts';
import { type Divergence, firstDivergence, type RequestParts, same } from './divergence.ts';
import type { Json, JsonObject } from './json.ts';
import { type Kept, matchTails, type TailItem } from './tails.ts';

/** What a token costs at the provider's cache, as a factor of what it costs without one. */
export interface PriceFactors {
  readonly write: number;
  readonly read: number;
}

/** tiers 5: what providers with a cache took when this was written; settings may say otherwise. */
const PRICE_FACTORS: PriceFactors = { write: 1.25, read: 0.1 };

export interface PriceInput {
  /** Tokens of a whole part or item, at once. */
  readonly tokensOf: (value: Json) => Amount;
  /** What a message is called in both requests, whatever its text became; absent where a message has no name. */
  readonly keyOf?: (message: JsonObject) => string | undefined;
  readonly factors?: PriceFactors;
}

/**
 * tiers 5: what it costs that a request differs from the one before, after the fact or, with a request that was only
 * thought of, before it. `rewritten` are the tokens behind the first difference that are sent all the same, with what
 * replaces an old text, and without what is appended; `freed` are those by which the old ones got fewer.
 */
export function priceOf(previous: RequestParts, next: RequestParts, input: PriceInput): Price {
  const divergence = firstDivergence(previous, next);
  const broken = divergence?.part === 'config' ? cacheDivergence(previous, next) : divergence;
  if (!broken) {
    return { ...(divergence && { divergence }), rewritten: NOTHING, freed: NOTHING, breakEven: 0 };
  }
  const prefixed = next.prefix.length;
  const kept = matchTails(tailOf(previous, broken, prefixed, input), tailOf(next, broken, prefixed, input));
  const rewritten = sumOf(kept.still.map(({ value }) => input.tokensOf(value)).concat(replacements(kept, input)));
  const freed = freedBy(kept, input);
  const requests = breakEven(rewritten.tokens, freed.tokens, input.factors);
  return {
    ...(divergence && { divergence }),
    rewritten,
    freed,
    ...(requests !== undefined && { breakEven: requests }),
  };
}

/**
 * What it would cost if one message of the prefix, by its place, became another or went: for the discard of a block, that is
 * the blocks' message.
 */
export function whatIf(
  parts: RequestParts,
  index: number,
  replacement: JsonObject | undefined,
  input: PriceInput,
): Price {
  const prefix = parts.prefix.toSpliced(index, 1, ...(replacement === undefined ? [] : [replacement]));
  return priceOf(parts, { ...parts, prefix }, input);
}

/**
 * tiers 5: requests until what is freed has paid for what is rewritten. 0 when there is nothing to pay; absent when nothing
 * is freed, or reading costs nothing.
 */
export function breakEven(
  rewritten: number,
  freed: number,
  { write, read }: PriceFactors = PRICE_FACTORS,
): number | undefined {
  const cost = rewritten * (write - read);
  const gain = freed * read;
  if (cost <= 0) {
    return 0;
  }
  return gain > 0 ? Math.ceil(cost / gain) : undefined;
}

/** The members of a config that no cache of a provider looks at: with another value, a request's text is found all the same. */
const NOT_CACHED: ReadonlySet<string> = new Set([
  ...['max_tokens', 'maxTokens', 'max_output_tokens', 'maxOutputTokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'topP', 'top_k', 'topK', 'presence_penalty', 'frequency_penalty', 'seed'],
  ...[
    'stop',
    'stop_sequences',
    'stopSequences',
    'stream',
    'stream_options',
    'metadata',
    'client_metadata',
    'user',
    'service_tier',
    'store',
  ],
]);

/** The first difference that costs something. */
function cacheDivergence(previous: RequestParts, next: RequestParts): Divergence | undefined {
  const names = new Set([...Object.keys(previous.config), ...Object.keys(next.config)]);
  const costs = [...names].some(name => !NOT_CACHED.has(name) && !same(previous.config[name], next.config[name]));
  return firstDivergence(costs ? previous : { ...previous, config: next.config }, next);
}

/** Everything that has tokens, from the first difference on; `prefixed` is the length of the prefix that its index is about. */
function tailOf(parts: RequestParts, found: Divergence, prefixed: number, { keyOf }: PriceInput): readonly TailItem[] {
  const { part, index = 0, offset } = found;
  const { system, tools = [], prefix, messages } = parts;
  const items: TailItem[] = [];
  if ((part === 'config' || part === 'system') && system !== undefined) {
    items.push({ kind: 'system', value: system });
  }
  if (part === 'config' || part === 'system' || part === 'tools') {
    items.push(...tools.slice(part === 'tools' ? index : 0).map(value => ({ kind: 'tool' as const, value })));
  }
  const place = part === 'prefix' ? index : part === 'messages' ? index + prefixed : 0;
  for (const value of [...prefix.slice(place), ...messages.slice(Math.max(0, place - prefix.length))]) {
    const key = keyOf?.(value);
    items.push({ kind: 'message', value, ...(key !== undefined && { key }) });
  }
  const [first, ...rest] = items;
  return first && part !== 'config' ? [{ ...first, shared: offset }, ...rest] : items;
}

/** New texts in the place of old ones; of the one at the first difference only what comes after it. */
function replacements({ replaced }: Kept, { tokensOf }: PriceInput): readonly Amount[] {
  return replaced.map(([old, { value, shared = 0 }]) => {
    const amount = tokensOf(value);
    if (old.shared === undefined || shared === 0) {
      return amount;
    }
    const bytes = utf8Length(JSON.stringify(value));
    return { tokens: Math.round((amount.tokens * (bytes - shared)) / bytes), origin: 'estimated' };
  });
}

function freedBy({ gone, replaced }: Kept, { tokensOf }: PriceInput): Amount {
  const before = sumOf([...gone, ...replaced.map(([old]) => old)].map(({ value }) => tokensOf(value)));
  const after = sumOf(replaced.map(([, { value }]) => tokensOf(value)));
  return { tokens: Math.max(0, before.tokens - after.tokens), origin: weaker(before.origin, after.origin) };
}
