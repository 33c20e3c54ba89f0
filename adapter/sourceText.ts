import { readFileSync } from 'node:fs';
import { decodeSource, type SourceEncoding } from '../protocol/lifecycle/sourceBytes.ts';

/** The text of a context file, without its byte order mark. Throws the system's error where it cannot be read. */
export function sourceText(path: string): string {
  return decodeSource(readFileSync(path), decode).text;
}

function decode(encoding: SourceEncoding, content: Uint8Array): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(content);
}
