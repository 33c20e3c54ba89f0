/** A text that is cut at so many code units, not within a pair, with `…` for the rest; one that fits stays. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const last = text.charCodeAt(length - 1);
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)}…`;
}
