import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { decodeSource, type SourceEncoding } from '../protocol/lifecycle/sourceBytes.ts';

/** Nobody loads more than this into a model; the command line and the editor read no larger file either. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The text of a context file, without its byte order mark. Throws the system's error where it cannot be read, and one of ours
 * for what is no file, or too large.
 */
export function sourceText(path: string): string {
  return decodeSource(sourceBytes(path), decode).text;
}

/**
 * The bytes of a context file; throws as `sourceText` does. A link is followed, as agents follow it, but what it leads to may be
 * chosen by a repository: a pipe would be waited for, and a device read, for ever.
 */
export function sourceBytes(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new Error('It is no ordinary file.');
    }
    if (stats.size > MAX_BYTES) {
      throw new Error('It is larger than 16 MiB.');
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function decode(encoding: SourceEncoding, content: Uint8Array): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(content);
}
