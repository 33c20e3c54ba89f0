import { Disposable, EventEmitter, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';
import { usageReport } from '../../protocol/budget/usageReport.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { sessionName } from '../views/drawing.ts';
import { editorWording } from '../views/editorWording.ts';
import { budgetPage } from './budgetPage.ts';

const SCHEME = 'context-lifecycle-report';

const { say } = editorWording;

/** seed 3's usage report of a session as a read-only document, which goes on with the session. */
export class UsageReportDocuments implements TextDocumentContentProvider, Disposable {
  readonly #sessions: PanelSessions;
  readonly #howToTurnOn: () => string;
  readonly #changed = new EventEmitter<Uri>();
  readonly #disposable: Disposable;
  /** What the open documents say, by address. */
  readonly #said = new Map<string, string>();

  readonly onDidChange = this.#changed.event;

  /** `howToTurnOn` gives the sentence for a session without the layer. */
  constructor(sessions: PanelSessions, howToTurnOn: () => string) {
    this.#sessions = sessions;
    this.#howToTurnOn = howToTurnOn;
    this.#disposable = Disposable.from(
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.#said.delete(uri.toString())),
      sessions.onChange(() => this.#tellChanges()),
      this.#changed,
    );
  }

  provideTextDocumentContent(uri: Uri): string {
    const text = this.#textOf(uri);
    this.#said.set(uri.toString(), text);
    return text;
  }

  async show(session: PanelSession): Promise<void> {
    const folder = sessionName(session).replaceAll(/[\\/?#%]/g, '_');
    const path = `/${folder}/${say(sentence('Usage Report'))}.txt`;
    const document = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, path, query: session.key }));
    await window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#disposable.dispose();
  }

  #textOf({ query }: Uri): string {
    const session = this.#sessions.all.find(({ key }) => key === query);
    if (!session) {
      return say(sentence('This session is not shown in this window any more.'));
    }
    const report = usageReport(session.state);
    const lines = report ? [report.text] : budgetPage(session, this.#howToTurnOn(), editorWording).about;
    return `${lines.join('\n')}\n`;
  }

  #tellChanges(): void {
    for (const [address, said] of this.#said) {
      const uri = Uri.parse(address);
      if (this.#textOf(uri) !== said) {
        this.#changed.fire(uri);
      }
    }
  }
}
