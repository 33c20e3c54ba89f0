import { type DecodedSource, decodeSource, type SourceEncoding } from '../../protocol/lifecycle/sourceBytes.ts';

const decoders = {
  'utf-8': new TextDecoder('utf-8', { ignoreBOM: true }),
  'utf-16le': new TextDecoder('utf-16le', { ignoreBOM: true }),
  'utf-16be': new TextDecoder('utf-16be', { ignoreBOM: true }),
} as const satisfies Record<SourceEncoding, unknown>;

/** A file's text and what its bytes held beside it. Throws only for a file that is too large for one string. */
export function decodeBytes(bytes: Uint8Array): DecodedSource {
  return decodeSource(bytes, (encoding, content) => decoders[encoding].decode(content));
}
