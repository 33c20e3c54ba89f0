import { type Disposable, type LanguageStatusItem, LanguageStatusSeverity, l10n, languages } from 'vscode';
import { product } from '../protocol/product.ts';
import { COMMANDS } from './names.ts';
import { DOCUMENT_SELECTOR } from './serverClient.ts';
import type { ServerCondition } from './serverLife.ts';
import { say } from './text.ts';

/** The language status: how the server is, what it last said of itself, and what to do when it has stopped. */
export class ServerStatus implements Disposable {
  readonly #server: LanguageStatusItem;
  #log: LanguageStatusItem | undefined;

  constructor() {
    this.#server = languages.createLanguageStatusItem('contextLifecycle.server', DOCUMENT_SELECTOR);
    this.#server.name = product.displayName;
    this.show({ state: 'starting' });
  }

  show({ state, reason }: ServerCondition): void {
    this.#log?.dispose();
    this.#log = undefined;
    const server = this.#server;
    server.busy = state === 'starting';
    server.severity = LanguageStatusSeverity.Information;
    server.command = { command: COMMANDS.showLog, title: l10n.t('Show Log') };
    if (state === 'running') {
      server.text = l10n.t('{0}: language server is running', product.displayName);
    } else if (state === 'starting') {
      server.text = l10n.t('{0}: language server is starting', product.displayName);
    } else {
      server.text = l10n.t('{0}: language server has stopped', product.displayName);
      server.severity = LanguageStatusSeverity.Error;
      server.command = { command: COMMANDS.restartServer, title: l10n.t('Restart') };
      this.#log = this.#logItem(reason ? say(reason) : l10n.t('The log says more'));
    }
    this.#describe(undefined);
  }

  /** Shows one sentence of the server until its state changes; null takes it back. */
  showNote(text: string | null): void {
    this.#describe(text ?? undefined);
  }

  dispose(): void {
    this.#server.dispose();
    this.#log?.dispose();
  }

  #describe(detail: string | undefined): void {
    const server = this.#server;
    server.detail = detail ?? '';
    server.accessibilityInformation = { label: [server.text, detail].filter(Boolean).join(', ') };
  }

  /** An item has room for one command, and beside it for few words. */
  #logItem(text: string): LanguageStatusItem {
    const item = languages.createLanguageStatusItem('contextLifecycle.serverLog', DOCUMENT_SELECTOR);
    item.name = l10n.t('{0}: Log', product.displayName);
    item.text = text;
    item.severity = LanguageStatusSeverity.Error;
    item.command = { command: COMMANDS.showLog, title: l10n.t('Show Log') };
    return item;
  }
}
