import type { CompletionPlace } from './offer.ts';

/**
 * The ID of the next opening or closing line below, when that is a closing line without an opening that could take one
 * here; undefined otherwise.
 */
export function orphanClosing({ document, lineEnd }: CompletionPlace): string | undefined {
  const { declarations } = document.outline;
  const next = declarations.find(
    ({ kind, range }) => range.start > lineEnd && (kind === 'opening' || kind === 'closing'),
  );
  const isOrphan =
    next?.kind === 'closing' && !declarations.some(({ kind, id }) => kind === 'opening' && id === next.id);
  return isOrphan ? next.id : undefined;
}
