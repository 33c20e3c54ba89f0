import { type Declaration, idRange, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { DocumentOutline } from '../../../protocol/lifecycle/document.ts';
import { type Structure, structureOf } from '../../../protocol/lifecycle/structure.ts';
import type { TextChange } from '../../../protocol/lifecycle/text.ts';
import { lineEndOf, wholeLine } from '../shared/lines.ts';

/** One change to the tag lines of a document. All structural repairs are made of these. */
export type TagEdit =
  | { readonly edit: 'remove'; readonly tag: Declaration }
  | { readonly edit: 'rename'; readonly tag: Declaration; readonly id: string }
  /** `before` is where a line starts, or the end of the text. */
  | { readonly edit: 'insert'; readonly kind: 'closing' | 'discard'; readonly id: string; readonly before: number };

/** The edits as changes to the text; new lines end as the document's first line does. */
export function textChanges(text: string, edits: readonly TagEdit[]): readonly TextChange[] {
  return edits.map(edit => {
    switch (edit.edit) {
      case 'remove':
        return { range: wholeLine(text, edit.tag.range), newText: '' };
      case 'rename':
        return { range: idRange(edit.tag), newText: edit.id };
      case 'insert': {
        const line = tagLine(edit.kind, edit.id);
        const newLine = lineEndOf(text);
        const ownLine = edit.before < text.length || edit.before === 0 || /[\r\n]$/.test(text);
        const range = { start: edit.before, end: edit.before };
        return { range, newText: ownLine ? line + newLine : newLine + line };
      }
    }
  });
}

/**
 * Whether the edits leave fewer structural problems, or as many and more valid blocks. Only tag lines are looked at,
 * which is cheap in a document of any size.
 */
export function improves(outline: DocumentOutline, edits: readonly TagEdit[]): boolean {
  const before = structureOf(outline.declarations);
  const after = structureOf(declarationsAfter(outline.declarations, edits));
  const fewer = before.problems.length - after.problems.length;
  return fewer > 0 || (fewer === 0 && validCount(after) > validCount(before));
}

function validCount({ blocks }: Structure): number {
  return blocks.filter(({ valid }) => valid).length;
}

function declarationsAfter(tags: readonly Declaration[], edits: readonly TagEdit[]): readonly Declaration[] {
  const kept = tags.flatMap(tag => {
    const edit = edits.find(one => one.edit !== 'insert' && one.tag === tag);
    if (edit?.edit === 'rename') {
      return [{ ...tag, id: edit.id }];
    }
    return edit ? [] : [tag];
  });
  for (const edit of edits) {
    if (edit.edit === 'insert') {
      const { kind, id, before } = edit;
      const at = kept.findIndex(({ range }) => range.start >= before);
      const added = { kind, id, range: { start: before, end: before }, next: before };
      kept.splice(at < 0 ? kept.length : at, 0, added);
    }
  }
  return kept;
}
