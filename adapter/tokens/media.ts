/** What a message may hold besides text. */
export type MediaKind = 'image' | 'audio' | 'file' | 'sealed';

/**
 * What an image takes at most, and what one of unknown size is taken for. One token for 750 pixels is the formula that
 * Anthropic has published; others are near it.
 */
const IMAGE = { most: 1_600, pixelsPerToken: 750 } as const;

/** Bytes of content for one token. Audio: 10 tokens a second at 128 kbit. Files: 2,000 tokens for a page of 100 kB. */
const BYTES_PER_TOKEN = { audio: 1_600, file: 50, sealed: 4 } as const;

/** Content of which nothing is known but that it is there (a file's id, an address). */
const UNKNOWN = { image: IMAGE.most, audio: 500, file: 2_000, sealed: 100 } as const;

/** Enough of an image to find its size in it, in characters of base64. */
const HEAD = 65_536;

/** A rough number of tokens, never zero. `base64` is absent where the content itself is not there. */
export function mediaTokens(kind: MediaKind, base64?: string): number {
  if (base64 === undefined) {
    return UNKNOWN[kind];
  }
  if (kind === 'image') {
    const pixels = pixelsOf(Buffer.from(base64.slice(0, HEAD), 'base64'));
    return pixels === undefined ? IMAGE.most : Math.min(IMAGE.most, Math.ceil((pixels + 1) / IMAGE.pixelsPerToken));
  }
  return Math.ceil((base64.length * 0.75 + 1) / BYTES_PER_TOKEN[kind]);
}

/** Width times height of a PNG, GIF, JPEG or WebP; absent for anything else, and for one that is cut short. */
function pixelsOf(bytes: Buffer): number | undefined {
  if (bytes.length < 30) {
    return undefined;
  }
  if (bytes.readUInt32BE(0) === 0x89_50_4e_47) {
    return bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  }
  if (bytes.toString('latin1', 0, 3) === 'GIF') {
    return bytes.readUInt16LE(6) * bytes.readUInt16LE(8);
  }
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') {
    return webpPixels(bytes);
  }
  return bytes.readUInt16BE(0) === 0xff_d8 ? jpegPixels(bytes) : undefined;
}

function webpPixels(bytes: Buffer): number | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const sizes = bytes.readUInt32LE(21);
      return ((sizes & 0x3f_ff) + 1) * (((sizes >> 14) & 0x3f_ff) + 1);
    }
    case 'VP8 ':
      return (bytes.readUInt16LE(26) & 0x3f_ff) * (bytes.readUInt16LE(28) & 0x3f_ff);
    default:
      return undefined;
  }
}

/** Goes from marker to marker until a frame's, which says the size. */
function jpegPixels(bytes: Buffer): number | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
