import { basename } from 'node:path';
import { type Disposable, l10n, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import type { GatewayStarted } from '../../local/gatewayStarted.ts';
import { product } from '../../protocol/product.ts';
import { GATEWAY_COMMANDS } from '../names.ts';
import { shown } from '../views/wording.ts';

/** How the gateway is, in words; hidden while none runs. */
export class GatewayStatusBar implements Disposable {
  readonly #item: StatusBarItem;

  constructor() {
    this.#item = window.createStatusBarItem('contextLifecycle.gateway', StatusBarAlignment.Left, 0);
    this.#item.name = l10n.t('{0}: Gateway', product.displayName);
    this.#item.command = GATEWAY_COMMANDS.gatewayOpenTerminal;
  }

  show(started: GatewayStarted | undefined, busy: boolean): void {
    if (!busy) {
      this.#item.hide();
      return;
    }
    const sentences = started ? sentencesOf(started) : [l10n.t('The gateway is starting.')];
    this.#item.text = started ? `$(broadcast) ${l10n.t('Gateway')}` : `$(sync~spin) ${l10n.t('Gateway')}`;
    this.#item.tooltip = sentences.join('\n');
    this.#item.accessibilityInformation = { label: sentences.join(' ') };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function sentencesOf({ port, sources, notes }: GatewayStarted): readonly string[] {
  const files = sources.map(path => shown(basename(path))).join(', ');
  return [
    l10n.t('The gateway is running on port {0} of this machine.', String(port)),
    files === '' ? l10n.t('It loads no context file.') : l10n.t('It loads: {0}.', shown(files)),
    ...notes.map(note => shown(note)),
    l10n.t('Choose to open a terminal for an agent.'),
  ];
}
