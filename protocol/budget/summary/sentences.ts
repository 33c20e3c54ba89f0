/** A sentence as it stands in a text, to the character. */
export interface Sentence {
  readonly text: string;
  /** In UTF-16 code units. */
  readonly offset: number;
}

/**
 * A sentence ends behind `.`, `!`, `?` and their kin with what closes quotes and brackets, where a blank or the end follows;
 * behind the full stops of Chinese, Japanese and Hindi wherever they stand; and at every line end. Its start is no blank. What has
 * none of these for a million characters is cut there: an expression has no room for all of a text that never ends.
 */
const SENTENCE =
  /[^\s](?:[^\n\r\u2028\u2029.!?。！？｡।؟]|[.!?؟](?![)\]"'”’»]*(?:\s|$))){0,1000000}(?:[.!?؟]+[)\]"'”’»]*|[。！？｡।]+[)」』”’]*)?/gu;

/** The sentences of a text in their order; what is left out is blank. */
export function sentencesOf(text: string): readonly Sentence[] {
  return Array.from(text.matchAll(SENTENCE), match => {
    const sentence = match[0].trimEnd();
    return { text: sentence, offset: match.index };
  });
}
