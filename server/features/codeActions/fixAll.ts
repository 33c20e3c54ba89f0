import { CodeActionKind } from 'vscode-languageserver';
import type { TextChange } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';
import type { ActionOffer } from './offer.ts';

export const FIX_ALL_KIND = `${CodeActionKind.SourceFixAll}.contextLifecycle`;

/**
 * All mechanical repairs of the document at once (blanks, letter case): never a rename, never a line that goes away. The
 * findings are in document order, so one look at each is enough for a document with a hundred thousand of them.
 * Undefined when there is none.
 */
export function fixAll(findings: readonly Finding[]): ActionOffer | undefined {
  const fixed: Finding[] = [];
  const changes: TextChange[] = [];
  // Two changes that touch could mean different things in different orders, so the later one waits for the next time.
  let reached = -1;
  for (const finding of findings) {
    const { fix } = finding;
    if (fix?.mechanical && fix.changes.every(({ range }) => range.start > reached)) {
      fixed.push(finding);
      changes.push(...fix.changes);
      reached = Math.max(reached, ...fix.changes.map(({ range }) => range.end));
    }
  }
  if (fixed.length === 0) {
    return undefined;
  }
  return {
    key: 'fix-all',
    title: { template: 'Repair blanks and letter case in all tag lines', values: [] },
    kind: FIX_ALL_KIND,
    findings: fixed,
    preferred: false,
    changes: () => changes,
  };
}
