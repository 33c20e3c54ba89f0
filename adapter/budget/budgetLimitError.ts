import type { BudgetEvent, Measured } from '../../protocol/budget/budgetEvents.ts';

type Reset = Extract<BudgetEvent, { readonly type: 'budget/reset-requested' }>['data'];

/** Where the limit in force comes from, in words. */
const BINDS: Readonly<Record<Measured['limits']['binds'], string>> = {
  window: 'nine tenths of the window',
  'output-reserve': 'the window without what the answer may take',
  'input-limit': 'what the provider lets in',
  learned: 'what the provider refused before',
};

/** Parts of a request, in words. */
const PARTS: Readonly<Record<string, string>> = {
  system: 'the system prompt',
  tools: 'the tools',
  prefix: 'what the host puts before the history',
  host: 'system prompt, tools and prefix',
  tier1: 'task and constraints',
  tier2: 'blocks and documents',
  tier3: 'older history',
  tier4: 'the last messages',
};

/** seed 3, rule 4: a request is above its limit, and no edit makes it smaller. Nothing was sent. */
export class BudgetLimitError extends Error {
  override readonly name = 'BudgetLimitError';

  constructor({ requestSequence, total, limits }: Measured, { largest }: Pick<Reset, 'largest'>) {
    const parts = largest.map(({ part, amount }) => `${PARTS[part] ?? part} ${tokens(amount)}`).join(', ');
    const takes =
      total.tokens > limits.hard
        ? `takes ${tokens(total)} tokens`
        : `takes ${tokens(total)} tokens, an estimate that may be too low,`;
    super(
      `Request ${requestSequence} was not sent, because it ${takes} and the limit is ${grouped(limits.hard)} (${BINDS[limits.binds]}; window ${grouped(limits.window.tokens)}, ${limits.window.source}). Largest parts: ${parts}. Begin a new session, take something out, or set "overLimit" to "warn" in config.json.`,
    );
  }
}

function tokens({ tokens: count, origin }: Measured['total']): string {
  return `${origin === 'estimated' ? '~' : ''}${grouped(count)}`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
