import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { MAX_FILE_BYTES, type Unreadable } from './fileSystem.ts';

/** Most instruction files fit in here, so that one read takes them whole. */
const BUFFER_BYTES = 256 * 1024;

/**
 * Reads files one after another, without a detour through Node's thread pool, which takes about three times as long for
 * small files. Whoever reads many gives way to other work in between (`TimeSlices`).
 */
export class FileReader {
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);

  /**
   * What `use` makes of the bytes, or why there are none. The bytes are lent: the next file overwrites them. Throws only
   * what `use` throws. A pipe or a device gives nothing, or is not read past the first piece.
   */
  read<T>(path: string, use: (bytes: Uint8Array) => T): T | Unreadable {
    const bytes = this.#bytesOf(path);
    return typeof bytes === 'string' ? bytes : use(bytes);
  }

  #bytesOf(path: string): Uint8Array | Unreadable {
    try {
      // Without O_NONBLOCK, opening a pipe waits for somebody who writes.
      const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        return this.#readOpen(file);
      } finally {
        closeSync(file);
      }
    } catch {
      return 'unreadable';
    }
  }

  #readOpen(file: number): Uint8Array | Unreadable {
    const { length } = this.#buffer;
    const count = fill(file, this.#buffer, 0);
    // Asking how large a file is costs as much as reading a small one.
    return count < length ? this.#buffer.subarray(0, count) : this.#readLarge(file);
  }

  #readLarge(file: number): Uint8Array | Unreadable {
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      return 'unreadable';
    }
    if (stats.size > MAX_FILE_BYTES) {
      return 'too-large';
    }
    const whole = Buffer.allocUnsafe(Math.max(stats.size, this.#buffer.length) + 1);
    this.#buffer.copy(whole);
    return whole.subarray(0, fill(file, whole, this.#buffer.length));
  }
}

/** Reads on into `bytes` from `length` until the file ends or there is no room; the new length. */
function fill(file: number, bytes: Buffer, length: number): number {
  let end = length;
  for (let count = -1; count !== 0 && end < bytes.length; end += count) {
    count = readSync(file, bytes, end, bytes.length - end, null);
  }
  return end;
}
