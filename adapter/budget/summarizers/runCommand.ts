import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { NoSummaryError } from './noSummaryError.ts';

const MEGABYTE = 1024 * 1024;
const MOST_MEGABYTES = 4;

/** What is called by its words; every other error of a start by its code. */
const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be started',
};

/**
 * Runs a program without a shell, writes `input` to it, and gives what it prints, which must be UTF-8. Its standard error goes
 * nowhere: an agent's terminal is not ours, and a log without content may not have it. When it says too much or the signal is
 * aborted, it is killed with everything that it started. Rejects with `NoSummaryError`, or with the signal's reason.
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  input: string,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const child = start(program, args);
  // A start that fails is told after this function may have ended.
  child.on('error', () => undefined);
  // One that reads nothing, or not all, may still know what to say.
  child.stdin.on('error', () => undefined);
  const kill = (): void => killAll(child);
  process.once('exit', kill);
  try {
    const closed = once(child, 'close', { signal }) as Promise<[code: number | null, by: NodeJS.Signals | null]>;
    child.stdin.end(input);
    const [output, [code, by]] = await Promise.all([read(child.stdout), closed]);
    if (code !== 0) {
      throw new NoSummaryError(by === null ? `it ended with code ${code}` : `it was ended by ${by}`);
    }
    return textOf(output);
  } catch (error) {
    kill();
    signal.throwIfAborted();
    throw error instanceof NoSummaryError ? error : notStarted(error);
  } finally {
    process.off('exit', kill);
    child.stdin.destroy();
    child.stdout.destroy();
  }
}

function start(program: string, args: readonly string[]) {
  try {
    return spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      // A group of its own can be killed as one. On Windows that would be a window of its own.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw notStarted(error);
  }
}

function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

async function read(stdout: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stdout as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_MEGABYTES * MEGABYTE) {
      throw new NoSummaryError(`its answer is longer than ${MOST_MEGABYTES} MB`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function textOf(output: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(output);
  } catch {
    throw new NoSummaryError('its answer is no UTF-8');
  }
}

function notStarted(error: unknown): NoSummaryError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new NoSummaryError(`it could not be started (${NOT_STARTED[code] ?? code})`);
}
