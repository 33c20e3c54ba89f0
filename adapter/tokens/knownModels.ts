/**
 * Models of which it is known that they read the vocabulary o200k_base. GPT-4 and GPT-3.5 read an older one that is not
 * shipped, so their numbers are estimates, half a percent off on the whole (specs/tokens.md 2).
 */
const READS_O200K = /^(?:(?:chat)?gpt-(?:4o|4\.1|4\.5|5|oss)|o[134]|codex-mini)\b/;

/** By its name; what stands before a slash is whose server it is (`openai/gpt-5`). */
export function readsO200k(model: string): boolean {
  return READS_O200K.test(model.slice(model.lastIndexOf('/') + 1).toLowerCase());
}
