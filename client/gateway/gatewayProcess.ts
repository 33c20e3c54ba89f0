import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type GatewayStarted, readGatewayStarted } from '../../local/gatewayStarted.ts';

export interface GatewayProcessOptions {
  /** Of the shipped command line. */
  readonly script: string;
  readonly cwd: string;
  /** Whole paths of context files. */
  readonly sources: readonly string[];
  /** Is told what the gateway says on its standard error, line by line. */
  readonly said: (line: string) => void;
  /** Called once, at the end: absent where it ended as it was asked to, else why it ended. */
  readonly ended: (reason: string | undefined) => void;
}

/** A gateway that is asked to end closes its sessions first. */
const PATIENCE = 5_000;
/** What stands before a sentence on standard error. */
const PREFIX = /^context-lifecycle: (?:gateway: )?/;

/**
 * A gateway as a child of this window, run by the editor's own Node. It ends when its standard input is closed, so with the window
 * however that dies.
 */
export class GatewayProcess {
  /** Settles when the gateway listens, and with nothing when it has ended before. Never rejects. */
  readonly started: Promise<GatewayStarted | undefined>;
  /** Settles when it is gone. Never rejects. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  #lastWords = '';
  #stopped = false;
  #over = false;

  constructor({ script, cwd, sources, said, ended }: GatewayProcessOptions) {
    const args = [script, 'gateway', '--json', ...sources.flatMap(path => ['--source', path])];
    this.#child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // `close` follows on an error too.
    this.gone = new Promise(resolve => this.#child.once('close', () => resolve()));
    const { stdin, stdout, stderr } = this.#child;
    // It has ended already; `close` says so too.
    stdin?.on('error', () => undefined);
    const listen = (line: string): void => {
      this.#lastWords = line.replace(PREFIX, '');
      said(this.#lastWords);
    };
    if (stderr) {
      createInterface({ input: stderr }).on('line', listen);
    }
    this.started = new Promise(resolve => {
      if (stdout) {
        createInterface({ input: stdout }).once('line', line => {
          const started = readGatewayStarted(line);
          if (!started) {
            this.#lastWords = 'Its first line could not be read.';
            this.#child.kill();
          }
          resolve(started);
        });
      }
      const over = (reason: string | undefined): void => {
        if (!this.#over) {
          this.#over = true;
          resolve(undefined);
          ended(reason);
        }
      };
      this.#child.once('error', error => over(error.message));
      this.#child.once('close', code => over(this.#stopped ? undefined : this.#lastWords || `Exit code ${code}.`));
    });
  }

  /** Asks it to end, and waits until it has. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE);
    timer.unref();
    await this.gone;
    clearTimeout(timer);
  }
}
