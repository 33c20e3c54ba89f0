// Most texts are ASCII, and asking for that is several times as fast as counting.
// oxlint-disable-next-line no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;

/** How many bytes a text has in UTF-8; a lone surrogate counts as U+FFFD, which is written for it. */
export function utf8Length(text: string): number {
  const { length } = text;
  if (!NOT_ASCII.test(text)) {
    return length;
  }
  let bytes = length;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) {
      // Each half of a surrogate pair counts for two of its four bytes.
      bytes += unit > 0x7ff && !isHalfOfPair(text, index, unit) ? 2 : 1;
    }
  }
  return bytes;
}

function isHalfOfPair(text: string, index: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdfff) {
    return false;
  }
  return unit < 0xdc00
    ? (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    : index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}
