import { homedir } from 'node:os';
import { type Disposable, type LogOutputChannel, l10n, window, workspace } from 'vscode';
import type { GatewayStarted } from '../../local/gatewayStarted.ts';
import { setContextKey } from '../contextKeys.ts';
import { inNotification } from '../session/plainWords.ts';
import { GatewayProcess } from './gatewayProcess.ts';
import { GatewayStatusBar } from './gatewayStatusBar.ts';

/** The gateway of this window: at most one. */
export class Gateway implements Disposable {
  readonly #script: string;
  readonly #log: LogOutputChannel;
  readonly #status = new GatewayStatusBar();
  #process: GatewayProcess | undefined;
  #started: GatewayStarted | undefined;

  /** `script` is the shipped command line. */
  constructor(script: string, log: LogOutputChannel) {
    this.#script = script;
    this.#log = log;
  }

  /** The one that runs, as soon as it does; absent while there is none. */
  async running(): Promise<GatewayStarted | undefined> {
    await this.#process?.started;
    return this.#started;
  }

  /** It runs, or is about to. */
  get busy(): boolean {
    return this.#process !== undefined;
  }

  /** Starts it with these context files; absent where it does not run then, and a person has been told why. Never rejects. */
  async start(sources: readonly string[]): Promise<GatewayStarted | undefined> {
    const child = new GatewayProcess({
      script: this.#script,
      cwd: workFolder(),
      sources,
      said: line => this.#log.info(line),
      ended: reason => this.#ended(child, reason),
    });
    this.#process = child;
    this.#show();
    const started = await child.started;
    if (this.#process === child) {
      this.#started = started;
      for (const note of started?.notes ?? []) {
        this.#log.warn(note);
      }
      this.#show();
    }
    return this.#started;
  }

  /** Ends it; settles when it is gone. Another one may start meanwhile. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    this.#started = undefined;
    this.#show();
    await child?.stop();
  }

  dispose(): void {
    void this.#process?.stop();
    // What it says from now on finds nobody.
    this.#process = undefined;
    this.#status.dispose();
  }

  #ended(child: GatewayProcess, reason: string | undefined): void {
    if (this.#process !== child) {
      return;
    }
    this.#process = undefined;
    this.#started = undefined;
    this.#show();
    if (reason !== undefined) {
      void window.showErrorMessage(l10n.t('The gateway does not run: {0}', inNotification(reason)));
    }
  }

  #show(): void {
    setContextKey('contextLifecycle.gateway.state', this.#started ? 'running' : this.#process && 'starting');
    this.#status.show(this.#started, this.busy);
  }
}

/** In which the gateway runs and terminals open. */
export function workFolder(): string {
  return workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
}
