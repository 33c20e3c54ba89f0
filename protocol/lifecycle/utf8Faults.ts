/** Where a UTF-8 decoder put U+FFFD for bytes that are no UTF-8. */
export interface Utf8Faults {
  /** How many U+FFFD stand for bad bytes; a U+FFFD that the file really holds is none. */
  readonly count: number;
  /** The UTF-16 offset of the first, in the decoded text; -1 when there is none. */
  readonly firstOffset: number;
}

/** Walks bytes as the Encoding Standard's decoder does: one U+FFFD for each longest start of a sequence that breaks. */
export function findUtf8Faults(bytes: Uint8Array): Utf8Faults {
  let count = 0;
  let firstOffset = -1;
  let offset = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length < 0) {
      count++;
      firstOffset = firstOffset < 0 ? offset : firstOffset;
    }
    offset += length === 4 ? 2 : 1;
    at += Math.abs(length);
  }
  return { count, firstOffset };
}

/** The bytes that the sequence at `at` takes; negative when they are no UTF-8. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) {
    return 1;
  }
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0) {
    return -1;
  }
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    const low = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) {
      return -index;
    }
  }
  return length;
}
