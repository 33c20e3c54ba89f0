import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { LogReading } from '../protocol/log/logReader.ts';
import { LogBytes } from './logBytes.ts';

/** A log is read in pieces of this size. */
export const PIECE_BYTES = 1024 * 1024;

/** What a log file says, and how long it was when it was read. */
export interface LogFile extends LogReading {
  readonly path: string;
  /** Bytes, the unfinished last line included. */
  readonly size: number;
}

/**
 * Reads a whole log, also one that another process is writing: then it ends with what was there. Never changes the file.
 * What is wrong in it is in the result; rejects with the system's error when the file cannot be read, with one of ours when
 * it is no file, and when `signal` ends it.
 */
export async function readLog(path: string, signal?: AbortSignal): Promise<LogFile> {
  const file = await openLogFile(path);
  try {
    const bytes = new LogBytes();
    const size = await readPieces(file, 0, piece => bytes.write(piece), signal);
    return { ...bytes.end(), path, size };
  } finally {
    await file.close();
  }
}

/** Opens any log for reading: one that a person names may be anywhere and anyone's. A pipe or a device is refused, not waited for. */
export async function openLogFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    throw new Error(`${path} is no ordinary file, so it is no session log.`);
  }
  return file;
}

/** Hands out what a file holds from an offset to its end. Gives the offset where it ended. The buffer is used again. */
export async function readPieces(
  file: FileHandle,
  start: number,
  take: (piece: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<number> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let offset = start; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, offset);
    if (bytesRead === 0) {
      return offset;
    }
    take(buffer.subarray(0, bytesRead));
    offset += bytesRead;
  }
}
