import { type Declaration, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { DocumentOutline } from '../../../protocol/lifecycle/document.ts';
import type { Fix, Problem } from '../../../protocol/lifecycle/problem.ts';

/** A near miss with its fix. */
export interface FixableProblem extends Problem {
  readonly fix: Fix;
}

/**
 * The near miss that was meant as the other tag line of a block: the next one below an opening, the last one above a
 * closing. Undefined where there is none; then the block's other line is really missing.
 */
export function meantPartner({ problems }: DocumentOutline, tag: Declaration): FixableProblem | undefined {
  const line = tagLine(tag.kind === 'opening' ? 'closing' : 'opening', tag.id);
  const candidates = problems
    .filter((problem): problem is FixableProblem => problem.fix !== undefined)
    .filter(({ fix }) => fix.changes.some(({ newText }) => newText.endsWith(line)));
  return tag.kind === 'opening'
    ? candidates.find(({ range }) => range.start > tag.range.end)
    : candidates.findLast(({ range }) => range.start < tag.range.start);
}
