import type { Declaration } from '../../protocol/lifecycle/declaration.ts';
import type { Block } from '../../protocol/lifecycle/structure.ts';
import { placeElsewhere } from './blockIdConflicts.ts';
import type { CheckedDocument } from './checkedDocument.ts';
import type { UnratedFinding } from './finding.ts';
import type { Project } from './project.ts';

/**
 * Discards of IDs that neither this document nor a context source defines. An opening in this document is enough to
 * keep quiet: where its block is invalid, the parser's own problem says so at a better place.
 */
export function unknownBlocks({ outline }: CheckedDocument, project: Project): readonly UnratedFinding[] {
  const discards = outline.declarations.filter(({ kind }) => kind === 'discard');
  if (discards.length === 0) {
    return [];
  }
  const own = new Set(outline.declarations.filter(({ kind }) => kind === 'opening').map(({ id }) => id));
  const unknown = new Map<string, Pick<UnratedFinding, 'message' | 'related'>>();
  for (const id of new Set(discards.map(discard => discard.id))) {
    if (!own.has(id) && project.definitionsOf(id).length === 0) {
      unknown.set(id, explain(id, project));
    }
  }
  return discards.flatMap(({ id, range }) => {
    const explained = unknown.get(id);
    return explained ? [{ code: 'unknown-block', range, blockId: id, ...explained }] : [];
  });
}

function explain(id: string, project: Project): Pick<UnratedFinding, 'message' | 'related'> {
  const invalid = project.placesOf(id).find(({ declaration }) => declaration.kind === 'opening');
  const template = invalid
    ? "No context source has a valid block '{0}', so this line discards nothing."
    : "No context source defines block '{0}', so this line discards nothing.";
  return {
    message: { template, values: [id] },
    related: invalid ? [placeElsewhere(invalid, "This definition of '{0}' is not valid.")] : [],
  };
}

/** Discards inside a valid block: they count where they stand (DESIGN flow 1, Structure), which few people expect. */
export function discardsInsideBlocks({ outline }: CheckedDocument): readonly UnratedFinding[] {
  const findings: UnratedFinding[] = [];
  if (!outline.declarations.some(({ kind }) => kind === 'discard')) {
    return findings;
  }
  const blocks = outline.blocks.filter(({ valid }) => valid)[Symbol.iterator]();
  let block = blocks.next().value;
  for (const declaration of outline.declarations) {
    while (block?.closing && block.closing.range.end <= declaration.range.start) {
      block = blocks.next().value;
    }
    if (block && declaration.kind === 'discard' && declaration.range.start > block.opening.range.start) {
      findings.push(insideFinding(declaration, block));
    }
  }
  return findings;
}

function insideFinding({ id, range }: Declaration, block: Block): UnratedFinding {
  return {
    code: 'discard-inside-block',
    range,
    message: {
      template:
        id === block.id
          ? "This line discards the block '{0}' in which it stands. A discard counts wherever it stands and stays part of the block's text; put it outside the block."
          : "This line discards '{0}' although it stands inside block '{1}'. A discard counts wherever it stands and stays part of the block's text; put it outside the block.",
      values: [id, block.id],
    },
    related: [
      {
        kind: 'here',
        range: block.opening.range,
        message: { template: "Block '{0}' is open from here.", values: [block.id] },
      },
    ],
    blockId: id,
  };
}

/** A discard that repeats an earlier one of the same document. */
export interface RepeatedDiscard {
  readonly declaration: Declaration;
  readonly first: Declaration;
}

/**
 * Discards that do nothing because the document has discarded the ID before (V1: Discard: repeated discards are
 * idempotent). No finding: it is legal. An editor may show such a line faded.
 */
export function repeatedDiscards(declarations: readonly Declaration[]): readonly RepeatedDiscard[] {
  const firsts = new Map<string, Declaration>();
  const repeated: RepeatedDiscard[] = [];
  for (const declaration of declarations) {
    if (declaration.kind === 'discard') {
      const first = firsts.get(declaration.id);
      if (first) {
        repeated.push({ declaration, first });
      } else {
        firsts.set(declaration.id, declaration);
      }
    }
  }
  return repeated;
}
