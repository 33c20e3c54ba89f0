/** A terminal would obey such characters instead of showing them. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text of ours that holds names from outside, for a terminal: one line for each line of ours, and nothing in it is obeyed. */
export function forTerminal(text: string): string {
  return text.replace(OBEYED, character =>
    character === '\n' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Why a request was not sent; errors of the session say by themselves that it was not. */
export function unsentSentence(error: unknown): string {
  const sentence = sentenceOf(error);
  return /^(?:The r|R)equest (?:\d+ )?was not sent\b/.test(sentence)
    ? sentence
    : `The request was not sent. ${sentence}`;
}

/** What an error says. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
