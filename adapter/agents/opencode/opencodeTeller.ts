import { product } from '../../../protocol/product.ts';
import { forTerminal } from '../tell.ts';
import type { OpencodeClient, ToastVariant } from './opencodeApi.ts';

const NAME = `${product.displayName}: `;

/** Ways to start opencode in which nothing draws on the terminal. */
const withoutScreen = new Set(['run', 'serve', 'web', 'acp', 'github', 'pr']);

/** How long a sentence stays, in milliseconds for each character. */
const READING = 60;
const SHORTEST = 5_000;

/** Shows a sentence to the person; never throws. */
export type Tell = (sentence: string, kind?: ToastVariant) => void;

/** A notification in opencode's screen, and standard error where there is none. */
export function teller(client: OpencodeClient, args: readonly string[] = process.argv): Tell {
  const hasScreen = !withoutScreen.has(args[2] ?? '');
  return (sentence, variant = 'info') => {
    const text = forTerminal(sentence);
    const message = text.startsWith(NAME) ? text : `${NAME}${text}`;
    if (!hasScreen) {
      process.stderr.write(`${message}\n`);
    }
    const duration = Math.max(SHORTEST, message.length * READING);
    // nobody may be there to see it
    client.tui.showToast({ body: { message, variant, duration } }).catch(() => undefined);
  };
}
