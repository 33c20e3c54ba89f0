import { createReadStream, type ReadStream, readFileSync, type Stats, statSync } from 'node:fs';

/** Throws for a pipe, a socket or a device: reading one may never end. */
export function refuseSpecial(stats: Stats): void {
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error('It is neither a file nor a folder; hand over what a program prints as "-".');
  }
}

/** The file as a stream. Throws as `readRegularFile` does; later errors come from the stream. */
export function openRegularFile(path: string): ReadStream {
  refuseSpecial(statSync(path));
  return createReadStream(path);
}

/** The bytes of a regular file, or of the one that a link leads to. Throws when there is none or it cannot be read. */
export function readRegularFile(path: string): Buffer {
  refuseSpecial(statSync(path));
  return readFileSync(path);
}
