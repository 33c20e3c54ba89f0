import { type Disposable, l10n, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { PanelSession } from '../session/sessionModel.ts';
import { sessionName } from '../views/drawing.ts';
import { editorWording } from '../views/editorWording.ts';
import { RefreshGate } from '../views/refreshGate.ts';
import type { ShownSessions } from '../views/sessionViews.ts';
import { budgetPage } from './budgetPage.ts';
import { CompressionPrice } from './compressionPrice.ts';
import { pageMessage } from './pageMessage.ts';
import { pageFolders, panelHtml } from './panelHtml.ts';

/** What a page of a budget does outside of itself. */
export interface BudgetActs {
  readonly openRequest: (session: PanelSession, request: number) => Promise<void>;
  /** The sentence for a session without the layer. */
  readonly howToTurnOn: () => string;
}

const VIEW_TYPE = 'context-lifecycle-budget';

/** The tabs that show budgets, one for each session. They follow the session, and its state of then where that is shown. */
export class BudgetPanels implements Disposable {
  /** By the session's key. */
  readonly #panels = new Map<string, BudgetPanel>();
  readonly #extension: Uri;
  readonly #sessions: ShownSessions;
  readonly #acts: BudgetActs;
  readonly #changes: Disposable;

  constructor(extension: Uri, sessions: ShownSessions, acts: BudgetActs) {
    this.#extension = extension;
    this.#sessions = sessions;
    this.#acts = acts;
    this.#changes = sessions.onShown(() => {
      for (const panel of this.#panels.values()) {
        panel.changed();
      }
    });
  }

  /** Opens the tab of this session, or goes to it. */
  show({ key }: PanelSession): void {
    const known = this.#panels.get(key);
    if (known) {
      known.reveal();
      return;
    }
    const panel = new BudgetPanel(key, this.#extension, this.#sessions, this.#acts);
    this.#panels.set(key, panel);
    panel.onClosed(() => this.#panels.delete(key));
  }

  dispose(): void {
    this.#changes.dispose();
    for (const panel of [...this.#panels.values()]) {
      panel.dispose();
    }
  }
}

class BudgetPanel {
  readonly #key: string;
  readonly #sessions: ShownSessions;
  readonly #acts: BudgetActs;
  readonly #panel: WebviewPanel;
  readonly #gate: RefreshGate;
  readonly #price = new CompressionPrice(() => this.changed());
  /** The page has said that it listens; one that was hidden begins anew. */
  #isReady = false;

  constructor(key: string, extension: Uri, sessions: ShownSessions, acts: BudgetActs) {
    this.#key = key;
    this.#sessions = sessions;
    this.#acts = acts;
    this.#gate = new RefreshGate(async () => this.#draw());
    const options = { enableScripts: true, localResourceRoots: [...pageFolders(extension)] };
    this.#panel = window.createWebviewPanel(VIEW_TYPE, this.#title(), ViewColumn.Active, options);
    const { webview } = this.#panel;
    webview.onDidReceiveMessage((message: unknown) => void this.#take(message));
    this.#panel.onDidChangeViewState(() => this.#viewChanged());
    this.#panel.onDidDispose(() => this.#gate.dispose());
    webview.html = panelHtml(webview, extension);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  changed(): void {
    this.#gate.request();
  }

  onClosed(listener: () => void): void {
    this.#panel.onDidDispose(listener);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** As the views show it: it may be in a state of before. */
  get #session(): PanelSession | undefined {
    return this.#sessions.shown.all.find(({ key }) => key === this.#key);
  }

  #title(): string {
    const session = this.#session;
    return session ? l10n.t('Budget — {0}', sessionName(session)) : l10n.t('Budget');
  }

  #viewChanged(): void {
    if (!this.#panel.visible) {
      this.#isReady = false;
    }
    this.#gate.setVisible(this.#panel.visible && this.#isReady);
  }

  /** Whatever a page says is looked at before it is believed. */
  async #take(message: unknown): Promise<void> {
    const asked = pageMessage(message);
    switch (asked?.type) {
      case 'ready':
        this.#isReady = true;
        this.#gate.request();
        this.#gate.setVisible(this.#panel.visible);
        break;
      case 'back':
        this.#sessions.showNow(this.#key);
        break;
      case 'open': {
        const session = this.#session;
        if (session && asked.request <= session.state.requests.length) {
          await this.#acts.openRequest(session, asked.request);
        }
        break;
      }
      case undefined:
        break;
    }
  }

  async #draw(): Promise<void> {
    const session = this.#session;
    // A session that is not shown any more stays as it was drawn last.
    if (session) {
      const data = budgetPage(session, this.#acts.howToTurnOn(), editorWording, this.#price.of(session));
      await this.#panel.webview.postMessage({ type: 'draw', data });
    }
  }
}
