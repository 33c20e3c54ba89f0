/**
 * Classes of characters that a person cannot tell from the ones a tag needs. All take UTF-16 units or code points;
 * line ends (`\n`, `\r`) belong to none of them.
 */

/** Whether the character shows as empty space: space, tab, every Unicode blank, and the separators that end no line. */
export function isBlank(code: number): boolean {
  if (code < 0x80) {
    return code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c;
  }
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Whether the character shows as nothing at all: zero-width, joiners, bidi controls, selectors, tags, controls. */
export function isInvisible(code: number): boolean {
  if (code < 0x300) {
    return code === 0xad || (code < 0x20 && !isBlank(code) && code !== 0x0a && code !== 0x0d) || isC1Control(code);
  }
  return (
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x17b4 ||
    code === 0x17b5 ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0x3164 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff0 && code <= 0xfffb) ||
    (code >= 0x1bca0 && code <= 0x1bca3) ||
    (code >= 0x1d173 && code <= 0x1d17a) ||
    (code >= 0xe0000 && code <= 0xe0fff)
  );
}

function isC1Control(code: number): boolean {
  return code >= 0x7f && code <= 0x9f && code !== 0x85;
}

/** Whether the character is a stroke that editors put in place of `-`, or `-` itself. */
export function isDash(code: number): boolean {
  return code === 0x2d || isHyphenLookalike(code) || code === 0x2014 || code === 0x2015;
}

/** A stroke that stands for exactly one `-`; the em dash and the horizontal bar stand for two. */
export function isHyphenLookalike(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x2013) ||
    code === 0x02d7 ||
    code === 0x2043 ||
    code === 0x2212 ||
    code === 0xfe58 ||
    code === 0xfe63 ||
    code === 0xff0d
  );
}

/** How many UTF-16 units the code point takes. */
export function unitsOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

/** Whether the UTF-16 unit at `at` belongs to a blank or an invisible character; false outside the text. */
export function isEmptyLookingAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdfff) {
    return isInvisible(text.codePointAt(code >= 0xdc00 ? at - 1 : at) ?? code);
  }
  return isBlank(code) || isInvisible(code);
}
