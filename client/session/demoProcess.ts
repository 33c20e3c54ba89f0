import { type ChildProcess, spawn } from 'node:child_process';

export interface DemoOptions {
  /** Of the shipped command line. */
  readonly script: string;
  readonly cwd: string;
  /** Called once: absent where it ended as it was asked to, else why it ended. */
  readonly ended: (reason: string | undefined) => void;
}

const MOST_WORDS = 2_000;

/** The demo session as a child of this window, run by the editor's own Node. It ends with the window. */
export class DemoProcess {
  readonly #child: ChildProcess;
  #words = '';
  #stopped = false;
  #over = false;

  constructor({ script, cwd, ended }: DemoOptions) {
    this.#child = spawn(process.execPath, [script, 'demo', '--keep-open'], {
      cwd,
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      // What it prints is read and dropped: its pipe breaks with this process, and then it ends, however this process dies.
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#child.stdout?.resume();
    this.#child.stderr?.on('data', (words: Buffer) => {
      this.#words = (this.#words + words.toString()).slice(-MOST_WORDS);
    });
    const over = (reason: string | undefined) => {
      if (!this.#over) {
        this.#over = true;
        ended(reason);
      }
    };
    this.#child.once('error', error => over(error.message));
    this.#child.once('close', code => over(this.#stopped || code === 0 ? undefined : this.#words.trim() || `${code}`));
  }

  /** Absent where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return !this.#over;
  }

  /** Asks it to end; it closes its session first. */
  stop(): void {
    this.#stopped = true;
    this.#child.kill('SIGTERM');
  }
}
