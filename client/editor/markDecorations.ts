import {
  type DecorationOptions,
  type Disposable,
  OverviewRulerLane,
  Range,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
} from 'vscode';
import { MARK_STATES, type MarkState, type TagMark } from './tagMarks.ts';

/** The words and the icon's shape tell the state; the colour only repeats it. */
const RULER_COLORS: Readonly<Record<MarkState, string>> = {
  active: 'testing.iconPassed',
  drifted: 'editorOverviewRuler.modifiedForeground',
  discarded: 'editorOverviewRuler.deletedForeground',
  kept: 'editorOverviewRuler.warningForeground',
  conflict: 'editorOverviewRuler.warningForeground',
  denied: 'editorOverviewRuler.warningForeground',
  absent: 'editorOverviewRuler.bracketMatchForeground',
  discards: 'editorOverviewRuler.deletedForeground',
  refused: 'editorOverviewRuler.warningForeground',
};

/** Marks of one document that are drawn at most: each one with words of its own costs the window a rule of style. */
export const MOST_MARKS = 1_000;

/** Gutter icons, texts at the ends of lines, marks beside the scroll bar, and what is dimmed. */
export class MarkDecorations implements Disposable {
  readonly #types: ReadonlyMap<MarkState, TextEditorDecorationType>;
  readonly #dimmed = window.createTextEditorDecorationType({ opacity: '0.7' });
  /** What each editor shows, to leave alone what is right already. */
  readonly #drawn = new WeakMap<TextEditor, string>();

  constructor(extension: Uri) {
    this.#types = new Map(MARK_STATES.map(state => [state, decorationType(extension, state)]));
  }

  /** `textOf` gives the words at the end of a mark's line. */
  draw(editor: TextEditor, marks: readonly TagMark[], textOf: (mark: TagMark) => string): void {
    const shown = marks.slice(0, MOST_MARKS).filter(({ line }) => line < editor.document.lineCount);
    const texts = shown.map(textOf);
    const print = JSON.stringify(shown.map(({ state, line, endLine }, index) => [state, line, endLine, texts[index]]));
    const drawing = `${editor.document.version} ${print}`;
    if (this.#drawn.get(editor) === drawing || (shown.length === 0 && !this.#drawn.has(editor))) {
      return;
    }
    this.#drawn.set(editor, drawing);
    const options = new Map<MarkState, DecorationOptions[]>();
    for (const [index, { state, line }] of shown.entries()) {
      const { range } = editor.document.lineAt(line);
      const option = { range, renderOptions: { after: { contentText: texts[index] ?? '' } } };
      const known = options.get(state);
      if (known) {
        known.push(option);
      } else {
        options.set(state, [option]);
      }
    }
    for (const [state, type] of this.#types) {
      editor.setDecorations(type, options.get(state) ?? []);
    }
    editor.setDecorations(
      this.#dimmed,
      shown.flatMap(({ state, line, endLine }) =>
        state === 'discarded' && endLine !== undefined ? [new Range(line, 0, endLine, Number.MAX_SAFE_INTEGER)] : [],
      ),
    );
  }

  dispose(): void {
    this.#dimmed.dispose();
    for (const type of this.#types.values()) {
      type.dispose();
    }
  }
}

function decorationType(extension: Uri, state: MarkState): TextEditorDecorationType {
  const icon = (theme: string): Uri => Uri.joinPath(extension, 'media', 'marks', `${state}.${theme}.svg`);
  return window.createTextEditorDecorationType({
    light: { gutterIconPath: icon('light') },
    dark: { gutterIconPath: icon('dark') },
    gutterIconSize: 'contain',
    overviewRulerColor: new ThemeColor(RULER_COLORS[state]),
    overviewRulerLane: OverviewRulerLane.Left,
    after: { margin: '0 0 0 2em', color: new ThemeColor('editorCodeLens.foreground') },
  });
}
