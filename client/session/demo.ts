import { homedir } from 'node:os';
import { commands, type Disposable, l10n, window, workspace } from 'vscode';
import { DemoProcess } from './demoProcess.ts';
import { inNotification } from './plainWords.ts';
import type { SessionRegistry } from './sessionRegistry.ts';
import { SHOW_SIDEBAR } from './statusBar.ts';

/** The demo session of this window: at most one. */
export class Demo implements Disposable {
  readonly #script: string;
  readonly #registry: SessionRegistry;
  #process: DemoProcess | undefined;

  /** `script` is the shipped command line. */
  constructor(script: string, registry: SessionRegistry) {
    this.#script = script;
    this.#registry = registry;
  }

  /** Starts it where it does not run, and shows it. Never rejects. */
  async start(): Promise<void> {
    if (!this.#process?.running) {
      const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
      this.#process = new DemoProcess({
        script: this.#script,
        cwd: folder?.uri.fsPath ?? homedir(),
        ended: reason => {
          if (reason !== undefined) {
            void window.showErrorMessage(l10n.t('The demo session could not go on: {0}', inNotification(reason)));
          }
        },
      });
      if (this.#process.pid !== undefined) {
        this.#registry.attachProcess(this.#process.pid);
      }
    }
    await commands.executeCommand(SHOW_SIDEBAR);
  }

  dispose(): void {
    this.#process?.stop();
  }
}
