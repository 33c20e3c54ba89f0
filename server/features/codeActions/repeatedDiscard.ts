import { CodeActionKind } from 'vscode-languageserver';
import type { TextRange } from '../../../protocol/lifecycle/text.ts';
import { repeatedDiscards } from '../../check/discards.ts';
import type { OpenDocument } from '../../document.ts';
import type { ActionOffer } from './offer.ts';
import { textChanges } from './tagEdits.ts';

/** Removing discard lines of the range that only repeat an earlier one (V1: Discard: repeated discards are idempotent). */
export function repeatedDiscard({ outline }: OpenDocument, range: TextRange): readonly ActionOffer[] {
  return repeatedDiscards(outline.declarations)
    .filter(({ declaration }) => declaration.range.start <= range.end && declaration.range.end >= range.start)
    .map(({ declaration }) => ({
      key: `remove-repeated:${declaration.range.start}`,
      title: { template: "Remove this repeated discard of '{0}'", values: [declaration.id] },
      kind: CodeActionKind.QuickFix,
      findings: [],
      preferred: false,
      changes: () => textChanges(outline.text, [{ edit: 'remove', tag: declaration }]),
    }));
}
