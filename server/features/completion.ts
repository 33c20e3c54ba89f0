import {
  type CompletionContext,
  CompletionItemKind,
  type CompletionList,
  CompletionTriggerKind,
  InsertTextFormat,
  type Position,
} from 'vscode-languageserver';
import { TAG_PREFIX } from '../../protocol/lifecycle/declaration.ts';
import { EnclosureWalk } from '../../protocol/lifecycle/enclosures.ts';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { idOffers } from './completion/idOffers.ts';
import { lineOffers } from './completion/lineOffers.ts';
import type { CompletionPlace } from './completion/offer.ts';
import { markup } from './shared/displayText.ts';
import { lineAround, lineEndOf } from './shared/lines.ts';
import { isSubsequence } from './shared/subsequence.ts';
import { openBlockAt, tagAt } from './shared/tagAt.ts';
import { tagPrefix } from './shared/tagPrefix.ts';

/** Where a client asks by itself, besides letters. */
export const COMPLETION_TRIGGERS = ['<', '!', '-', ':', '/'] as const;

/** More are cut, and the client asks again as the person types on. */
const MAX_ITEMS = 200;

/** How completions are written for this client. */
export interface CompletionSupport {
  readonly snippets: boolean;
  readonly markdown: boolean;
}

/**
 * Whole tag lines, or IDs where a tag line's ID stands. Null unless the line is the start of an exact tag line, and in
 * fenced code, front matter and the like, where a tag would be live against all appearance; on an empty line only when a
 * person asks. Every item carries its own range, from the first character of the line or ID to the
 * end of the line, so that an end that stands there already is replaced (editor-bugs 34, 35).
 */
export function completion(
  document: OpenDocument,
  position: Position,
  context: CompletionContext | undefined,
  project: Project,
  support: CompletionSupport,
): CompletionList | null {
  const place = placeAt(document, position, context, project, support);
  if (!place) {
    return null;
  }
  const { idOf, typedId } = place.prefix;
  const offers = idOf ? idOffers(place, idOf) : tagAt(document, position) ? [] : lineOffers(place);
  if (offers.length === 0) {
    return null;
  }
  const start = idOf ? place.lineStart + TAG_PREFIX[idOf].length : place.lineStart;
  const range = document.rangeOf({ start, end: place.lineEnd });
  const fitting = offers.filter(({ label }) => isSubsequence(typedId, label));
  return {
    // The new ID that is offered for an opening follows what is typed.
    isIncomplete: idOf === 'opening' || fitting.length > MAX_ITEMS,
    items: fitting.slice(0, MAX_ITEMS).map((offer, index) => ({
      label: offer.label,
      kind: offer.snippet
        ? CompletionItemKind.Snippet
        : idOf
          ? CompletionItemKind.Reference
          : CompletionItemKind.Keyword,
      ...(offer.detail === undefined ? {} : { detail: offer.detail }),
      documentation: markup([offer.documentation], support.markdown),
      sortText: String(index).padStart(4, '0'),
      filterText: offer.label,
      insertTextFormat: offer.snippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      textEdit: { range, newText: offer.newText },
      ...(index === 0 && offer.first ? { preselect: true } : {}),
    })),
  };
}

function placeAt(
  document: OpenDocument,
  position: Position,
  context: CompletionContext | undefined,
  project: Project,
  support: CompletionSupport,
): CompletionPlace | undefined {
  const text = document.text.getText();
  const offset = document.offsetAt(position);
  const line = lineAround(text, offset);
  const before = text.slice(line.start, offset);
  const asked = (context?.triggerKind ?? CompletionTriggerKind.Invoked) === CompletionTriggerKind.Invoked;
  if (before === '' && !(asked && line.start === line.end)) {
    return undefined;
  }
  const prefix = tagPrefix(before, text.slice(offset, line.end));
  if (!prefix || new EnclosureWalk(text).enclosureOf(line.start)) {
    return undefined;
  }
  return {
    document,
    project,
    prefix,
    snippets: support.snippets,
    newLine: lineEndOf(text),
    lineStart: line.start,
    lineEnd: line.end,
    open: openBlockAt(document.outline, line.start),
  };
}
