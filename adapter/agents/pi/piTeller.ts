import { product } from '../../../protocol/product.ts';
import { forTerminal } from '../tell.ts';
import type { PiContext } from './piApi.ts';

/** Says who speaks, among all that an agent prints. */
const NAME = `${product.displayName}: `;

/** Shows a sentence to the person. */
export type Tell = (sentence: string, kind?: 'info' | 'warning' | 'error') => void;

/** In print mode a notification shows nothing, and stdout belongs to the answer. */
export function teller({ hasUI, ui }: PiContext): Tell {
  return (sentence, kind = 'info') => {
    const text = forTerminal(sentence);
    if (hasUI) {
      ui.notify(text, kind);
    } else {
      process.stderr.write(`${text.startsWith(NAME) ? '' : NAME}${text}\n`);
    }
  };
}
