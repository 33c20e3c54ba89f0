import type { DocumentOutline } from '../../protocol/lifecycle/document.ts';
import { LineCounter } from '../../protocol/lifecycle/text.ts';
import type { SourceSummary } from './project.ts';
import { suppressedCodes } from './suppression.ts';

/**
 * What the index keeps of one file: its exact tag lines by line number, without its text. `lineOf` gives the line (from
 * 0) of an offset; who has the lines at hand spares a pass over the text.
 */
export function summarize(
  uri: string,
  path: string,
  outline: DocumentOutline,
  problemCount: number,
  lineOf = countedLines(outline.text),
): SourceSummary {
  const valid = new Set(outline.blocks.filter(block => block.valid).map(({ opening }) => opening));
  return {
    uri,
    path,
    declarations: outline.declarations.map(declaration => ({
      kind: declaration.kind,
      id: declaration.id,
      line: lineOf(declaration.range.start),
      length: declaration.range.end - declaration.range.start,
      valid: valid.has(declaration),
    })),
    problemCount,
    suppressed: suppressedCodes(outline.text),
  };
}

function countedLines(text: string): (offset: number) => number {
  const lines = new LineCounter(text);
  return offset => lines.lineAt(offset) - 1;
}
