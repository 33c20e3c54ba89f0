import { createReadStream, type ReadStream, readFile, readFileSync, type Stats, statSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Nobody loads more than this into a model, and the editor's index reads no larger file either. Of a hundred megabytes of
 * near misses the findings alone would fill the memory.
 */
export const MAX_BYTES = 16 * 1024 * 1024;

export const TOO_LARGE = 'It is larger than 16 MiB.';

/** Throws for a pipe, a socket or a device: reading one may never end. */
function refuseSpecial(stats: Stats): void {
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error('It is neither a file nor a folder; hand over what a program prints as "-".');
  }
}

function refuseUnfit(path: string): void {
  const stats = statSync(path);
  refuseSpecial(stats);
  if (stats.size > MAX_BYTES) {
    throw new Error(TOO_LARGE);
  }
}

/**
 * The bytes of a regular file, or of the one that a link leads to. Throws when there is none, when it cannot be read or
 * when it is too large.
 */
export function readRegularFile(path: string): Buffer {
  refuseUnfit(path);
  return readFileSync(path);
}

/** The callback form: in Node it reads small files two to three times as fast as `fs/promises`. */
const readBytes = promisify(readFile);

/** `readRegularFile` for many files at a time. */
export async function readRegularFileSoon(path: string): Promise<Uint8Array> {
  refuseUnfit(path);
  return readBytes(path);
}

/** The file as a stream, however large. Throws for what is no regular file; later errors come from the stream. */
export function openRegularFile(path: string): ReadStream {
  refuseSpecial(statSync(path));
  return createReadStream(path);
}
