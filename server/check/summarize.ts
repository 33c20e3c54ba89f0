import type { DocumentOutline } from '../../protocol/lifecycle/document.ts';
import { LineCounter } from '../../protocol/lifecycle/text.ts';
import type { SourceSummary } from './project.ts';

/** What the index keeps of one file: its exact tag lines by line number, without its text. */
export function summarize(uri: string, path: string, outline: DocumentOutline, problemCount: number): SourceSummary {
  const lines = new LineCounter(outline.text);
  const valid = new Set(outline.blocks.filter(block => block.valid).map(({ opening }) => opening));
  return {
    uri,
    path,
    declarations: outline.declarations.map(declaration => ({
      kind: declaration.kind,
      id: declaration.id,
      line: lines.lineAt(declaration.range.start) - 1,
      length: declaration.range.end - declaration.range.start,
      valid: valid.has(declaration),
    })),
    problemCount,
  };
}
