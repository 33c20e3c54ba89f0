import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

export const HEADER: LogHeader = { version: 1, id: 's', agent: 'test', cwd: '/w', created: 1 };

/** A private folder that is gone after the test. */
export function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'context-lifecycle-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An event that nothing depends on, with `bytes` of text. */
export function noteAt(seq: number, bytes = 10, time = seq): LogEvent {
  return { type: 'session/problem', seq, time, data: { code: 'note', sentence: 'ü'.repeat(Math.floor(bytes / 2)) } };
}

export function notes(from: number, to: number, bytes?: number): LogEvent[] {
  return Array.from({ length: to - from }, (_, index) => noteAt(from + index, bytes));
}

export function tornAt(seq: number, bytes: number): LogEvent {
  return { type: 'log/torn', seq, time: seq, data: { bytes } };
}

/** What a program that was run to its end said. */
export interface Said {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly code: number | null;
}

export interface ChildOptions {
  /** Words of a shell before the program, such as a limit that it sets. */
  readonly shell?: string;
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program in a process of its own. */
export function start(program: URL, args: readonly string[], { shell, uid, env }: ChildOptions = {}): ChildProcess {
  const node = [process.execPath, '--no-warnings', fileURLToPath(program), ...args];
  const options = {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: { ...process.env, ...env },
  } as const;
  return shell === undefined
    ? spawn(process.execPath, node.slice(1), { ...options, stdio: [...options.stdio] })
    : spawn('/bin/sh', ['-c', `${shell}; exec "$@"`, 'sh', ...node], { ...options, stdio: [...options.stdio] });
}

/** Runs a program to its end. */
export async function run(program: URL, args: readonly string[], options?: ChildOptions): Promise<Said> {
  const child = start(program, args, options);
  child.stdin?.end();
  const [output, errors, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>(resolve => child.on('close', resolve)),
  ]);
  return { lines: output.split('\n').slice(0, -1), errors, code };
}

export async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream ?? []) {
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
}
