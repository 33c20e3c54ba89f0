import { CodeActionKind } from 'vscode-languageserver';
import type { TextChange } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';
import type { ActionOffer } from './offer.ts';

export const FIX_ALL_KIND = `${CodeActionKind.SourceFixAll}.contextLifecycle`;

/**
 * All mechanical repairs of the document at once (blanks, letter case): never a rename, never a line that goes away.
 * Undefined when there is none.
 */
export function fixAll(findings: readonly Finding[]): ActionOffer | undefined {
  const fixed: Finding[] = [];
  const changes: TextChange[] = [];
  for (const finding of findings) {
    if (finding.fix?.mechanical && finding.fix.changes.every(change => isApart(change, changes))) {
      fixed.push(finding);
      changes.push(...finding.fix.changes);
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

/** Two changes that touch could mean different things in different orders, so the later one waits for the next time. */
function isApart({ range }: TextChange, changes: readonly TextChange[]): boolean {
  return changes.every(other => range.end < other.range.start || range.start > other.range.end);
}
