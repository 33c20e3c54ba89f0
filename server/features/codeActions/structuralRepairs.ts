import type { Declaration } from '../../../protocol/lifecycle/declaration.ts';
import type { Block } from '../../../protocol/lifecycle/structure.ts';
import type { Message } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';
import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { freshId } from '../shared/freshId.ts';
import { blockOf, openBlockAt } from '../shared/tagAt.ts';
import { meantPartner } from './meantPartner.ts';
import type { TagEdit } from './tagEdits.ts';

/** A repair that may or may not help; the caller keeps those that do. */
export interface Repair {
  readonly name: string;
  readonly title: Message;
  readonly edits: readonly TagEdit[];
  /** The likeliest one of its finding. */
  readonly preferred?: boolean;
}

/** What a repair is looked for: the finding, the tag line that it marks, and what stands around. */
export interface RepairCase {
  readonly finding: Finding;
  readonly tag: Declaration;
  readonly document: OpenDocument;
  readonly project: Project;
}

/** Repairs of V1's five structural problems, the likeliest first; empty for every other finding. */
export function structuralRepairs(repairCase: RepairCase): readonly Repair[] {
  switch (repairCase.finding.code) {
    case 'unclosed-block':
      return unclosed(repairCase);
    case 'nested-block':
      return nested(repairCase);
    case 'mismatched-block-end':
      return mismatched(repairCase);
    case 'unexpected-block-end':
      return unexpected(repairCase);
    case 'duplicate-block-id':
      return duplicate(repairCase);
    default:
      return [];
  }
}

function unclosed({ tag, document }: RepairCase): readonly Repair[] {
  const { declarations, text } = document.outline;
  const next = declarations.find(({ kind, range }) => kind === 'opening' && range.start > tag.range.start);
  const atEnd: Repair = {
    name: 'close-at-end',
    title: { template: "Close block '{0}' at the end of the document", values: [tag.id] },
    edits: [{ edit: 'insert', kind: 'closing', id: tag.id, before: text.length }],
    preferred: next === undefined && !meantPartner(document.outline, tag),
  };
  return [...(next ? [closeBefore(tag.id, next, document)] : []), atEnd, removal(tag)];
}

function nested({ tag, document }: RepairCase): readonly Repair[] {
  const { outline } = document;
  const outer = openBlockAt(outline, tag.range.start);
  if (!outer) {
    return [];
  }
  const end = outer.closing?.range.start ?? Number.POSITIVE_INFINITY;
  const ownClosing = outline.declarations.find(
    ({ kind, id, range }) => kind === 'closing' && id === tag.id && range.start > tag.range.start && range.start < end,
  );
  const close = closeBefore(outer.id, tag, document);
  const moved: Repair = {
    name: 'move-closing-up',
    title: {
      template: "Move the closing line of '{0}' before line {1}",
      values: [outer.id, lineNumber(document, tag)],
    },
    edits: [...close.edits, ...(outer.closing ? [{ edit: 'remove' as const, tag: outer.closing }] : [])],
  };
  return [
    outer.closing ? moved : close,
    {
      name: 'remove-nested',
      title: { template: "Remove the tag lines of '{0}'", values: [tag.id] },
      edits: [
        { edit: 'remove', tag },
        ...(ownClosing && ownClosing !== outer.closing ? [{ edit: 'remove' as const, tag: ownClosing }] : []),
      ],
    },
  ];
}

function mismatched({ tag, document }: RepairCase): readonly Repair[] {
  const { outline } = document;
  const open = openBlockAt(outline, tag.range.start);
  if (!open) {
    return [];
  }
  const opensSomewhere = outline.declarations.some(({ kind, id }) => kind === 'opening' && id === tag.id);
  return [
    {
      name: 'change-closing',
      title: { template: "Change this closing line to '{0}'", values: [open.id] },
      edits: [{ edit: 'rename', tag, id: open.id }],
      preferred: !opensSomewhere,
    },
    removal(tag),
  ];
}

function unexpected({ tag, document }: RepairCase): readonly Repair[] {
  const before = blockBefore(tag, document);
  return [
    { ...removal(tag), preferred: !meantPartner(document.outline, tag) },
    ...(before?.closing && before.id === tag.id
      ? [
          {
            name: 'extend',
            title: { template: "Let block '{0}' end here", values: [tag.id] },
            edits: [{ edit: 'remove' as const, tag: before.closing }],
          },
        ]
      : []),
  ];
}

/** The block that ends last before a tag line, if no other opening or closing stands between. */
function blockBefore(tag: Declaration, { outline }: OpenDocument): Block | undefined {
  const last = outline.declarations.findLast(
    ({ kind, range }) => range.start < tag.range.start && (kind === 'opening' || kind === 'closing'),
  );
  return last && blockOf(outline, last);
}

function duplicate({ tag, document, project }: RepairCase): readonly Repair[] {
  const { declarations } = document.outline;
  const isFirst = declarations.find(({ kind, id }) => kind === 'opening' && id === tag.id) === tag;
  return [{ ...renameBlock(tag, document, project), preferred: !isFirst }];
}

/** Another ID for one block alone. */
export function renameBlock(tag: Declaration, document: OpenDocument, project: Project): Repair {
  const id = freshId(tag.id, document, project);
  const closing = blockOf(document.outline, tag)?.closing;
  return {
    name: 'rename-block',
    title: { template: "Rename this block to '{0}'", values: [id] },
    edits: [{ edit: 'rename', tag, id }, ...(closing ? [{ edit: 'rename' as const, tag: closing, id }] : [])],
  };
}

function closeBefore(id: string, next: Declaration, document: OpenDocument): Repair {
  return {
    name: 'close-before',
    title: { template: "Close block '{0}' before line {1}", values: [id, lineNumber(document, next)] },
    edits: [{ edit: 'insert', kind: 'closing', id, before: next.range.start }],
  };
}

/** Removes one tag line. */
export function removal(tag: Declaration): Repair {
  return {
    name: 'remove',
    title: { template: 'Remove this line', values: [] },
    edits: [{ edit: 'remove', tag }],
  };
}

function lineNumber(document: OpenDocument, { range }: Declaration): string {
  return String(document.positionAt(range.start).line + 1);
}
