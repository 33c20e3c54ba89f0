import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';

/** Bytes that an operating system keeps for a socket's path, less the zero byte at its end. */
const PATH_BYTES: Partial<Record<NodeJS.Platform, number>> = { linux: 107, android: 107 };
const PATH_BYTES_ELSEWHERE = 103;

const PIPE = '\\\\.\\pipe\\context-lifecycle-';

/** What is wrong, as a part of a sentence. */
export class SocketPathError extends Error {
  override readonly name = 'SocketPathError';
}

/**
 * What an announcement calls its socket: a file's name in its own folder; on Windows, where sockets lie in no folder, the whole name
 * of a pipe, which follows from folder and name, so that an announcement cannot lead elsewhere.
 */
export function socketName(folder: string, name: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') {
    return `${name}.sock`;
  }
  const owner = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  return `${PIPE}${owner}-${name}`;
}

/**
 * Where to connect for an announcement that was found in a folder. Throws `SocketPathError` when it names a socket other than its own,
 * or when the path is longer than the operating system allows.
 */
export function socketAddress(
  folder: string,
  file: string,
  socket: string,
  platform: NodeJS.Platform = process.platform,
): string {
  if (socket !== socketName(folder, basename(file, '.json'), platform)) {
    throw new SocketPathError('it names a socket that is not its own');
  }
  if (platform === 'win32') {
    return socket;
  }
  const path = join(folder, socket);
  if (Buffer.byteLength(path) > limitOf(platform)) {
    throw new SocketPathError(
      `the path of its socket is longer than the ${limitOf(platform)} bytes that this operating system allows`,
    );
  }
  return path;
}

function limitOf(platform: NodeJS.Platform): number {
  return PATH_BYTES[platform] ?? PATH_BYTES_ELSEWHERE;
}
