import type { Declaration } from '../../protocol/lifecycle/declaration.ts';
import type { DocumentOutline } from '../../protocol/lifecycle/document.ts';
import type { Block } from '../../protocol/lifecycle/structure.ts';
import type { PlaceHere, UnratedFinding } from './finding.ts';

const DUPLICATE = 'duplicate-block-id';

/**
 * Marks on the blocks that another opening of their ID makes invalid. The parser reports a duplicate where it stands;
 * the first definition and a block whose ID is opened again inside another block fail as well, and a person who looks
 * at those has to see why.
 */
export function duplicateMarks(outline: DocumentOutline): readonly UnratedFinding[] {
  const openings = openingsById(outline.declarations);
  const reported = new Set(outline.problems.filter(({ code }) => code === DUPLICATE).map(({ range }) => range.start));
  return outline.blocks.flatMap(block => {
    const others = (openings.get(block.id) ?? []).filter(opening => opening !== block.opening);
    return others.length === 0 || reported.has(block.opening.range.start) ? [] : markOf(block, others, reported);
  });
}

function markOf(
  block: Block,
  others: readonly Declaration[],
  reported: ReadonlySet<number>,
): readonly UnratedFinding[] {
  // An opening of its own ID inside the block itself is the parser's `nested-block`, which already names both.
  const elsewhere = others.filter(opening => !isInside(opening, block));
  if (elsewhere.length === 0) {
    return [];
  }
  const again = elsewhere.some(({ range }) => reported.has(range.start));
  const template = again
    ? "Block ID '{0}' is defined again in this document, so none of these definitions becomes active."
    : "Block ID '{0}' is opened again inside another block of this document, so this block does not become active.";
  return [
    {
      code: DUPLICATE,
      range: block.opening.range,
      message: { template, values: [block.id] },
      related: elsewhere.map(placeOf),
      blockId: block.id,
    },
  ];
}

function placeOf({ id, range }: Declaration): PlaceHere {
  return { kind: 'here', range, message: { template: "'{0}' is opened again here.", values: [id] } };
}

function isInside({ range }: Declaration, { opening, closing }: Block): boolean {
  return range.start > opening.range.start && range.start < (closing?.range.start ?? Number.POSITIVE_INFINITY);
}

function openingsById(declarations: readonly Declaration[]): ReadonlyMap<string, readonly Declaration[]> {
  const openings = new Map<string, Declaration[]>();
  for (const declaration of declarations) {
    if (declaration.kind === 'opening') {
      const known = openings.get(declaration.id);
      if (known) {
        known.push(declaration);
      } else {
        openings.set(declaration.id, [declaration]);
      }
    }
  }
  return openings;
}
