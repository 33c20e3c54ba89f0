import type { Message } from '../lifecycle/text.ts';
import { countText, grouped } from './countText.ts';
import { sentence } from './sentence.ts';
import type { Amount, Price } from './sessionEvents.ts';

/** How a sentence of ours comes to its words: the editor has a language, the command line speaks English. */
interface Saying {
  readonly say: (message: Message) => string;
}

const PARTS = {
  config: 'config',
  system: 'system prompt',
  tools: 'tools',
  prefix: 'prefix',
  messages: 'messages',
} as const;

/** A part of a request in words. */
export function partText(part: keyof typeof PARTS, { say }: Saying): string {
  return say({ template: PARTS[part], values: [] });
}

export function tokensText({ say }: Saying, amount: Amount): string {
  return say(
    amount.tokens === 1 ? sentence('{0} token', countText(amount)) : sentence('{0} tokens', countText(amount)),
  );
}

/** After how many requests a change has paid for itself. */
export function payBackText(breakEven: number | undefined, { say }: Saying): string {
  if (breakEven === undefined) {
    return say(sentence('never pays back'));
  }
  if (breakEven === 0) {
    return say(sentence('costs nothing'));
  }
  return say(
    breakEven === 1 ? sentence('pays back after 1 request') : sentence('pays back after {0} requests', breakEven),
  );
}

/**
 * What a discard would change, a sentence each, before it is done. `price` is absent where nobody counts; `observed` is the adapter's
 * sentence about a source that the agent goes on to send by itself, harmless already.
 */
export function discardPriceLines(
  price: Price | undefined,
  saying: Saying,
  observed: string | undefined,
): readonly string[] {
  const { say } = saying;
  const forGood = say(sentence('A discarded block does not come back in this session.'));
  if (observed !== undefined) {
    return [
      say(sentence('The agent sends the source of this block by itself: the model goes on to see it.')),
      observed,
      forGood,
    ];
  }
  if (!price) {
    return [say(sentence('What it would save is not known: nobody counts the tokens of this session.')), forGood];
  }
  const { divergence, rewritten, freed, breakEven } = price;
  return [
    say(sentence('It frees {0} of each later request.', tokensText(saying, freed))),
    divergence
      ? say(
          sentence(
            'The first part of the request that changes is {0}, from byte {1} on.',
            divergence.index === undefined
              ? partText(divergence.part, saying)
              : say(sentence('{0}, number {1}', partText(divergence.part, saying), divergence.index + 1)),
            grouped(divergence.offset),
          ),
        )
      : say(sentence('No part of the last request changes.')),
    say(sentence('A cache loses {0}, which are sent anew once.', tokensText(saying, rewritten))),
    say(sentence('It {0}.', payBackText(breakEven, saying))),
    forGood,
  ];
}
