import { type Disposable, l10n, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import { product } from '../../protocol/product.ts';
import { RefreshGate } from '../views/refreshGate.ts';
import type { Wording } from '../views/wording.ts';
import { withoutIcons } from './plainWords.ts';
import type { PanelSessions } from './sessionModel.ts';
import { statusText } from './statusText.ts';

/** Opens the sidebar. The editor makes this command of the container's id in the manifest. */
export const SHOW_SIDEBAR = 'workbench.view.extension.contextLifecycle';

/** Active blocks and tokens of the current session; hidden while none is connected. */
export class SessionStatusBar implements Disposable {
  readonly #item: StatusBarItem;
  readonly #gate: RefreshGate;
  readonly #changes: { dispose(): void };

  constructor(sessions: PanelSessions, wording: Wording) {
    this.#item = window.createStatusBarItem('contextLifecycle.session', StatusBarAlignment.Left, 0);
    this.#item.name = l10n.t('{0}: Session', product.displayName);
    this.#item.command = SHOW_SIDEBAR;
    this.#gate = new RefreshGate(() => {
      this.#show(sessions, wording);
      return Promise.resolve();
    });
    this.#gate.setVisible(true);
    this.#changes = sessions.onChange(() => this.#gate.request());
  }

  dispose(): void {
    this.#changes.dispose();
    this.#gate.dispose();
    this.#item.dispose();
  }

  #show(sessions: PanelSessions, wording: Wording): void {
    const status = statusText(sessions, wording);
    if (!status) {
      this.#item.hide();
      return;
    }
    this.#item.text = `$(layers) ${withoutIcons(status.label)}`;
    this.#item.tooltip = status.tooltip;
    this.#item.accessibilityInformation = { label: status.spoken };
    this.#item.show();
  }
}
