/** The length of a text in UTF-8, in bytes; a surrogate that stands alone counts as the U+FFFD that it is written as. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      continue;
    }
    if (code < 0x8_00) {
      bytes++;
    } else if (code >= 0xd8_00 && code < 0xdc_00 && isLowSurrogate(text.charCodeAt(at + 1))) {
      // Two code units, four bytes.
      bytes += 2;
      at++;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc_00 && code < 0xe0_00;
}
