import type { Declaration } from '../../protocol/lifecycle/declaration.ts';
import type { DocumentOutline } from '../../protocol/lifecycle/document.ts';
import type { Block } from '../../protocol/lifecycle/structure.ts';
import type { PlaceHere, UnratedFinding } from './finding.ts';

const DUPLICATE = 'duplicate-block-id';
/** Enough for a person; a document may repeat an ID a hundred thousand times. */
const MAX_PLACES = 10;

/**
 * Marks on the blocks that another opening of their ID makes invalid. The parser reports a duplicate where it stands;
 * the first definition and a block whose ID is opened again inside another block fail as well, and a person who looks
 * at those has to see why.
 */
export function duplicateMarks(outline: DocumentOutline): readonly UnratedFinding[] {
  if (outline.problems.length === 0) {
    return []; // an ID that is opened twice is always a problem at one of its openings
  }
  const openings = openingsById(outline.declarations);
  const reported = new Set(outline.problems.filter(({ code }) => code === DUPLICATE).map(({ range }) => range.start));
  return outline.blocks
    .filter(({ opening }) => !reported.has(opening.range.start))
    .flatMap(block => markOf(block, openings.get(block.id) ?? [], reported));
}

/** `openings` are all of the block's ID. Linear for the whole document: only one block of an ID is not reported. */
function markOf(
  block: Block,
  openings: readonly Declaration[],
  reported: ReadonlySet<number>,
): readonly UnratedFinding[] {
  // An opening of its own ID inside the block itself is the parser's `nested-block`, which already names both.
  const elsewhere = openings.filter(opening => opening !== block.opening && !isInside(opening, block));
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
      related: elsewhere.slice(0, MAX_PLACES).map(placeOf),
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
