import { styleText } from 'node:util';

/** Gives a text the look of what it is; without colours it stays as it is. */
export type Style = (name: 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green' | 'magenta', text: string) => string;

const plain: Style = (_, text) => text;
const coloured: Style = (name, text) => styleText(name, text, { validateStream: false });

export function styleOf(colour: boolean): Style {
  return colour ? coloured : plain;
}

/** The style of standard output: https://no-color.org and the usual counterpart. */
export function outputStyle(): Style {
  return styleOf(showsColour());
}

export function showsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) {
    return false;
  }
  return FORCE_COLOR !== undefined ? FORCE_COLOR !== '0' : process.stdout.isTTY && TERM !== 'dumb';
}
