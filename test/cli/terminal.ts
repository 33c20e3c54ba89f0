import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inTime } from '../server/deadline.ts';
import { MAIN } from './cliKit.ts';
import type { Home } from './sessionKit.ts';

export interface OnTerminal {
  readonly shown: string;
  readonly exitCode: number | null;
}

/**
 * Runs the real command on a terminal of its own (`script` of util-linux makes one). `type` is typed as soon as a question is asked;
 * where it is a function, that is called then instead.
 */
export async function onTerminal(
  { home, cwd }: Home,
  args: readonly string[],
  type: string | (() => Promise<unknown>),
): Promise<OnTerminal> {
  const words = [process.execPath, MAIN, ...args].map(word => `'${word}'`).join(' ');
  const env = { PATH: process.env['PATH'], CONTEXT_LIFECYCLE_HOME: home, HOME: cwd, TZ: 'UTC', TERM: 'dumb' };
  const child = spawn('script', ['-qec', words, '/dev/null'], { cwd, env, stdio: 'pipe' });
  let shown = '';
  let asked = false;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece;
    if (!asked && shown.includes('[y/N]')) {
      asked = true;
      if (typeof type === 'string') {
        child.stdin.write(type);
      } else {
        void type();
      }
    }
  });
  try {
    const [exitCode] = (await inTime(once(child, 'close'), 'the end of the command', 30_000)) as [number | null];
    return { shown: shown.replaceAll('\r\n', '\n'), exitCode };
  } finally {
    child.stdin.end();
    child.kill('SIGKILL');
  }
}
