import { Hover, type HoverProvider, l10n, MarkdownString, type Position, type TextDocument } from 'vscode';
import { MARK_COMMANDS, VIEW_COMMANDS } from '../names.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import type { DocumentMarks } from './documentMarks.ts';
import type { MarkContexts } from './markContexts.ts';
import { markParagraphs } from './markWords.ts';
import type { TagMark } from './tagMarks.ts';

/** All that a link of ours can do. */
const ENABLED_COMMANDS: readonly string[] = [
  VIEW_COMMANDS.discardBlock,
  VIEW_COMMANDS.showBlockInRequest,
  MARK_COMMANDS.diffActiveContent,
];

/** Says what the current session has made of a tag line, beside what the language server says of the line itself. */
export class MarkHover implements HoverProvider {
  readonly #marks: DocumentMarks;
  readonly #contexts: MarkContexts;

  constructor(marks: DocumentMarks, contexts: MarkContexts) {
    this.#marks = marks;
    this.#contexts = contexts;
  }

  /** Nothing on lines that the session has nothing to say about. */
  provideHover(document: TextDocument, { line }: Position): Hover | undefined {
    const { session } = this.#marks;
    const mark = this.#marks.at(document, line);
    if (!session || !mark) {
      return undefined;
    }
    const said = untrusted(markParagraphs(mark, this.#contexts.of(session, mark)));
    const actions = actionsOf(mark, session);
    const { range } = document.lineAt(line);
    return new Hover(actions.length > 0 ? [trusted(actions, mark.blockId), said] : [said], range);
  }
}

interface Action {
  readonly label: string;
  readonly command: string;
}

function actionsOf({ block, changed }: TagMark, { mayDiscard, link }: PanelSession): readonly Action[] {
  if (!block) {
    return [];
  }
  const canDiscard = block.status === 'active' && mayDiscard && link.kind === 'connected';
  return [
    ...(canDiscard ? [{ label: l10n.t('Discard Block…'), command: VIEW_COMMANDS.discardBlock }] : []),
    { label: l10n.t('Show in Request'), command: VIEW_COMMANDS.showBlockInRequest },
    ...(changed ? [{ label: l10n.t('Compare with the Active Text'), command: MARK_COMMANDS.diffActiveContent }] : []),
  ];
}

/** Made of constants and the ID alone, whose letters the grammar bounds: nothing else may stand where links are obeyed. */
function trusted(actions: readonly Action[], blockId: string): MarkdownString {
  const argument = encodeURIComponent(JSON.stringify([{ block: blockId }]));
  const text = new MarkdownString(
    actions.map(({ label, command }) => `[${label}](command:${command}?${argument})`).join(' | '),
  );
  text.isTrusted = { enabledCommands: ENABLED_COMMANDS };
  text.supportHtml = false;
  return text;
}

/** Everything that document and session say: plain text. */
function untrusted(paragraphs: readonly string[]): MarkdownString {
  const text = new MarkdownString(paragraphs.map(plainMarkdown).join('\n\n'));
  text.isTrusted = false;
  text.supportHtml = false;
  return text;
}
