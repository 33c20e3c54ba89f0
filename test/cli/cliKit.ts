import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export interface RunOptions {
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the real command to its end. */
export async function run(args: readonly string[], { cwd, stdin = '', env = {} }: RunOptions): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { stdout, stderr, exitCode };
}

/** A new folder with these files, removed after the test. Its path holds no symbolic link. */
export function folderOf(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'context-lifecycle-cli-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function block(id: string, content = ''): string {
  return `<!--BLOCK_ID:${id}-->\n${content}<!--/BLOCK_ID:${id}-->\n`;
}

/** The `file:line:column severity code` of a text report's findings. */
export function placesIn(stdout: string): readonly string[] {
  return [...stdout.matchAll(/^(\S.*?:\d+:\d+): (error|warning|note): .*\[([a-z0-9-]+)\]$/gm)].map(
    ([, place, severity, code]) => `${place} ${severity} ${code}`,
  );
}
