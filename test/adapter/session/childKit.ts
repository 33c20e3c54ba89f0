import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inTime } from '../../server/deadline.ts';

const PROGRAM = fileURLToPath(new URL('sessionProgram.ts', import.meta.url));

/** `sessionProgram.ts` in a process of its own, which is ended after the test. */
export class Child {
  readonly process: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly #lines: AsyncIterator<string>;

  constructor(t: TestContext, ...args: readonly string[]) {
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process = child;
    this.ended = new Promise(resolve => child.once('close', (code, signal) => resolve(signal ?? code)));
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    t.after(() => child.kill('SIGKILL'));
  }

  /** The next line that it says. */
  async line(): Promise<string | undefined> {
    const { value } = await inTime(this.#lines.next(), 'a line of the other process');
    return value as string | undefined;
  }
}
