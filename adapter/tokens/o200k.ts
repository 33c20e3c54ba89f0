import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
import { countablePieces } from './pieces.ts';

/** Pre-tokens whose tokens are remembered. At their longest they take less than 100 MB, and more of them count no faster. */
const REMEMBERED_PRE_TOKENS = 20_000;

setMergeCacheSize(REMEMBERED_PRE_TOKENS);

/** Text that looks like a special token is text: what a tool printed must not stop a count. */
const asText = { disallowedSpecial: new Set<string>() };

/** Tokens of a text in OpenAI's vocabulary `o200k_base`; the work is linear in its length. */
export function o200kTokens(text: string): number {
  let tokens = 0;
  for (const piece of countablePieces(text)) {
    tokens += countTokens(piece, asText);
  }
  return tokens;
}
