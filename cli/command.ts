import { fstatSync } from 'node:fs';
import { relative } from 'node:path';
import { product } from '../protocol/product.ts';
import { printable } from './printable.ts';
import { MAX_BYTES, TOO_LARGE } from './regularFile.ts';

/** Exit codes of all commands. */
export const EXIT = { clean: 0, problems: 1, unreadable: 2 } as const;

/** Says on standard error what went wrong; `path` is what the person named. The run goes on. */
export function complain(path: string, reason: string): void {
  process.stderr.write(`context-lifecycle: ${printable(path)}: ${printable(reason)}\n`);
}

/** Says on standard error what a person should know; nothing is wrong. */
export function note(sentence: string): void {
  process.stderr.write(`context-lifecycle: ${printable(sentence)}\n`);
}

/** A reader that has seen enough (`| head`) closes the pipe; that is no error. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** Throws when standard input is a folder: Node takes that for an empty input. */
export function openStdin(): NodeJS.ReadStream {
  if (isFolder(process.stdin.fd)) {
    throw new Error('It is a folder.');
  }
  return process.stdin;
}

function isFolder(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch {
    // Some consoles cannot be asked.
    return false;
  }
}

/** All bytes of standard input. Rejects as `readRegularFile` throws. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of openStdin() as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) {
      throw new Error(TOO_LARGE);
    }
  }
  return Buffer.concat(chunks);
}

/** Absent when it is gone. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** What a person types to start this program once more. */
export function ownCommand(): string {
  const started = process.argv[1] ?? '';
  return started.endsWith('.js') || started.endsWith('.ts') ? `node ${relative('', started)}` : product.name;
}
