import {
  CodeLens,
  type CodeLensProvider,
  type Disposable,
  EventEmitter,
  l10n,
  Range,
  type TextDocument,
  workspace,
} from 'vscode';
import { SECTION, VIEW_COMMANDS } from '../names.ts';
import { withoutIcons } from '../session/plainWords.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { RefreshGate } from '../views/refreshGate.ts';
import type { DocumentMarks } from './documentMarks.ts';
import type { MarkContexts } from './markContexts.ts';
import { MOST_MARKS } from './markDecorations.ts';
import { markText } from './markWords.ts';

const SETTING = 'session.codeLens';

/** The words of the marks above their lines, for those who want them there. */
export class MarkLenses implements CodeLensProvider, Disposable {
  readonly #marks: DocumentMarks;
  readonly #contexts: MarkContexts;
  readonly #changed = new EventEmitter<void>();
  readonly #gate = new RefreshGate(async () => this.#changed.fire());
  readonly #watching: readonly Disposable[];

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(sessions: PanelSessions, marks: DocumentMarks, contexts: MarkContexts) {
    this.#marks = marks;
    this.#contexts = contexts;
    this.#watching = [
      sessions.onChange(() => this.request()),
      workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(`${SECTION}.${SETTING}`)) {
          this.#follow();
        }
      }),
    ];
    this.#follow();
  }

  /** Words may have changed. */
  request(): void {
    this.#gate.request();
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const { session } = this.#marks;
    if (!session || !isOn()) {
      return [];
    }
    return this.#marks
      .of(document)
      .slice(0, MOST_MARKS)
      .flatMap(mark => {
        const range = new Range(mark.line, 0, mark.line, 0);
        // a lens shows `$(name)` as an icon
        const title = withoutIcons(markText(mark, this.#contexts.of(session, mark)));
        const words = new CodeLens(range, { title, command: '' });
        if (mark.block?.status !== 'active' || !session.mayDiscard || session.link.kind !== 'connected') {
          return [words];
        }
        const discard = { command: VIEW_COMMANDS.discardBlock, arguments: [{ block: mark.blockId }] };
        return [words, new CodeLens(range, { title: l10n.t('Discard Block…'), ...discard })];
      });
  }

  dispose(): void {
    this.#gate.dispose();
    for (const watched of this.#watching) {
      watched.dispose();
    }
    this.#changed.dispose();
  }

  /** Nothing is asked of the editor while nobody wants lenses. */
  #follow(): void {
    this.#changed.fire();
    this.#gate.setVisible(isOn());
  }
}

function isOn(): boolean {
  return workspace.getConfiguration(SECTION).get<boolean>(SETTING, false);
}
