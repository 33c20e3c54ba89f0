import { CodeActionKind, type Range } from 'vscode-languageserver';
import { TAG_PREFIX, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { Message, TextChange, TextRange } from '../../../protocol/lifecycle/text.ts';
import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { localize } from '../../localize.ts';
import { freshId } from '../shared/freshId.ts';
import { lineAround, lineEndOf } from '../shared/lines.ts';
import { outlineAfter } from '../shared/repair.ts';
import { openBlockAt } from '../shared/tagAt.ts';
import type { ActionOffer } from './offer.ts';

export const WRAP_KIND = `${CodeActionKind.RefactorRewrite}.contextLifecycle.wrap`;

/**
 * Puts the selected lines into a new block. Undefined for an empty selection. Disabled where the selection holds or cuts
 * a block, or where the new tag lines would be a problem. `renameCommand` is run afterwards with the document's URI and
 * the position of the new ID, for clients that declare such a command.
 */
export function wrapSelection(
  document: OpenDocument,
  range: Range,
  project: Project,
  renameCommand: string | undefined,
): ActionOffer | undefined {
  const lines = selectedLines(document, range);
  if (!lines) {
    return undefined;
  }
  const id = freshId('block', document, project);
  const changes = wrapChanges(document.text.getText(), lines, id);
  const disabled = reasonAgainst(document, lines, changes);
  return {
    key: 'wrap',
    title: { template: 'Wrap Selection in Block…', values: [] },
    kind: WRAP_KIND,
    findings: [],
    preferred: false,
    ...(disabled && { disabled }),
    ...(renameCommand !== undefined && !disabled && { command: follow(renameCommand, document, lines) }),
    changes: () => changes,
  };
}

/** The whole lines that the selection touches; a selection that ends where a line starts leaves that line out. */
function selectedLines(document: OpenDocument, range: Range): TextRange | undefined {
  const text = document.text.getText();
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  if (from >= to) {
    return undefined;
  }
  const first = lineAround(text, from);
  const last = lineAround(text, to);
  const end = last.start === to ? lineAround(text, last.start - 1) : last;
  return { start: first.start, end: end.end };
}

function wrapChanges(text: string, { start, end }: TextRange, id: string): readonly TextChange[] {
  const lineEnd = lineEndOf(text);
  return [
    { range: { start, end: start }, newText: tagLine('opening', id) + lineEnd },
    { range: { start: end, end }, newText: lineEnd + tagLine('closing', id) },
  ];
}

function reasonAgainst(
  { outline }: OpenDocument,
  { start, end }: TextRange,
  changes: readonly TextChange[],
): Message | undefined {
  if (openBlockAt(outline, start)) {
    return { template: 'The selection is inside a block, and blocks cannot nest.', values: [] };
  }
  const held = outline.declarations.filter(({ range }) => range.start >= start && range.start <= end);
  if (held.some(({ kind }) => kind === 'opening' || kind === 'closing')) {
    return { template: 'The selection holds a tag line of a block, and blocks cannot nest.', values: [] };
  }
  if (held.some(({ kind }) => kind === 'discard')) {
    return { template: 'The selection holds a discard line, which belongs outside a block.', values: [] };
  }
  return outlineAfter(outline, changes).problems.length > outline.problems.length
    ? { template: 'Tag lines around this selection would be a problem, for example inside a code block.', values: [] }
    : undefined;
}

function follow(command: string, document: OpenDocument, { start }: TextRange) {
  const position = { line: document.positionAt(start).line, character: TAG_PREFIX.opening.length };
  return { title: localize({ template: 'Name the Block', values: [] }), command, arguments: [document.uri, position] };
}
