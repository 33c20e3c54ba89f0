import {
  type Disposable,
  l10n,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  ThemeColor,
  window,
} from 'vscode';
import { product } from '../../protocol/product.ts';
import { BUDGET_COMMANDS } from '../names.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import { RefreshGate } from '../views/refreshGate.ts';
import type { Wording } from '../views/wording.ts';
import { withoutIcons } from './plainWords.ts';
import type { PanelSessions } from './sessionModel.ts';
import { type StatusText, statusText } from './statusText.ts';

/** Opens the sidebar. The editor makes this command of the container's id in the manifest. */
export const SHOW_SIDEBAR = 'workbench.view.extension.contextLifecycle';

/** Colours of the editor, which reasons in words go with. */
const BACKGROUNDS = {
  normal: undefined,
  warning: new ThemeColor('statusBarItem.warningBackground'),
  error: new ThemeColor('statusBarItem.errorBackground'),
} as const;

/** Active blocks and tokens of the current session, or why its budget needs a look; hidden while none is connected. */
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
    this.#item.tooltip = tooltipOf(status);
    this.#item.backgroundColor = BACKGROUNDS[status.budget ?? 'normal'];
    this.#item.accessibilityInformation = { label: status.spoken };
    this.#item.show();
  }
}

/** With a link to the budget where there is one: the only command that it may run. */
function tooltipOf({ tooltip, budget }: StatusText): string | MarkdownString {
  if (budget === undefined) {
    return tooltip;
  }
  const lines = tooltip.split('\n').map(plainMarkdown);
  const link = `[${plainMarkdown(l10n.t('Show Budget'))}](command:${BUDGET_COMMANDS.showBudget})`;
  const markdown = new MarkdownString([...lines, link].join('\n\n'));
  markdown.isTrusted = { enabledCommands: [BUDGET_COMMANDS.showBudget] };
  return markdown;
}
