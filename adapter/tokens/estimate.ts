/** UTF-8 bytes for one token: of English, of code and of Chinese alike it is not far off. */
const BYTES_PER_TOKEN = 4;

/** At once, and rough: a twelfth off on the average file, a third and more on some (specs/tokens.md 2). Zero only for "". */
export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
