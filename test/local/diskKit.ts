import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

export interface Disk {
  /** Bytes that still fit. */
  room: number;
  code: string;
}

/** A disk with room for so many bytes more: what does not fit is cut off, and the next call is refused. */
export function diskOf(t: TestContext): Disk {
  const disk: Disk = { room: Number.POSITIVE_INFINITY, code: 'ENOSPC' };
  const { writeSync } = fs;
  const narrow = (descriptor: number, bytes: Uint8Array, offset = 0): number => {
    const length = Math.min(bytes.length - offset, disk.room);
    if (length === 0) {
      throw Object.assign(new Error(`${disk.code}: refused, write`), { code: disk.code, syscall: 'write' });
    }
    disk.room -= length;
    return writeSync(descriptor, bytes, offset, length);
  };
  t.mock.method(fs, 'writeSync', narrow);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return disk;
}
