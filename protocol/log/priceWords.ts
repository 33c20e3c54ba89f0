import type { Message } from '../lifecycle/text.ts';
import { countText } from './countText.ts';
import { sentence } from './sentence.ts';
import type { Amount } from './sessionEvents.ts';

/** How a sentence of ours comes to its words: the editor has a language, the command line speaks English. */
export interface Saying {
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
