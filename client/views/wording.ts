import type { Message } from '../../protocol/lifecycle/text.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Amount } from '../../protocol/log/sessionEvents.ts';

/** How rows come to their words: models know neither the editor's language nor its time zone. */
export interface Wording {
  /** A sentence of ours in the editor's language. */
  readonly say: (message: Message) => string;
  /** Unix milliseconds as a time of day, with the date where it is another day. */
  readonly time: (time: number) => string;
}

/** Labels are no longer than this, in UTF-16 code units. */
const LABEL_LENGTH = 200;
const TOOLTIP_LENGTH = 4_000;

/** Characters that an eye would obey instead of see: controls, line ends, bidirectional and zero-width ones, lone surrogates. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text from a session as it stands in a row: one line, bounded, and nothing in it hides or turns other text around. */
export function shown(text: string, length = LABEL_LENGTH): string {
  return cut(
    text.slice(0, length + 1).replace(OBEYED, code => `\\u{${(code.codePointAt(0) ?? 0).toString(16)}}`),
    length,
  );
}

/** Paragraphs of a tooltip, each of our own words with values that were `shown`. */
export function paragraphs(lines: readonly string[]): string {
  return cut(lines.filter(line => line !== '').join('\n'), TOOLTIP_LENGTH);
}

/** What stands beside a label. */
export function beside(parts: readonly string[]): string {
  return cut(parts.filter(part => part !== '').join(' · '), LABEL_LENGTH);
}

function cut(text: string, length: number): string {
  // Half of a pair would be no character, and no address of a document may hold it.
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** `812 bytes`, `3.1 kB`, `12 MB`; a kB is 1,000 bytes. */
export function bytesText({ say }: Wording, bytes: number): string {
  if (bytes < 1_000) {
    return say(bytes === 1 ? sentence('1 byte') : sentence('{0} bytes', bytes));
  }
  const [size, unit] =
    bytes < 999_500 ? [bytes / 1e3, 'kB'] : bytes < 999_500_000 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}

/** As a screen reader says it: marks are not read aloud. */
export function tokensSpoken({ say }: Wording, { tokens, origin }: Amount): string {
  switch (origin) {
    case 'estimated':
      return say(sentence('About {0} tokens, estimated.', tokens));
    case 'anchored':
      return say(sentence("About {0} tokens, from the provider's count.", tokens));
    case 'exact':
      return say(sentence('{0} tokens.', tokens));
  }
}
