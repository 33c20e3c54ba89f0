import { tagLine } from '../../../protocol/lifecycle/declaration.ts';
import { localize } from '../../localize.ts';
import { freshId } from '../shared/freshId.ts';
import { blockOf } from '../shared/tagAt.ts';
import { discardableIds } from './discardableIds.ts';
import type { CompletionOffer, CompletionPlace } from './offer.ts';
import { orphanClosing } from './orphanClosing.ts';

const DEFAULT_ID = 'block';

/** IDs for the tag line that is being typed, the end of the line included. None where every ID would be wrong. */
export function idOffers(place: CompletionPlace, kind: 'opening' | 'closing' | 'discard'): readonly CompletionOffer[] {
  switch (kind) {
    case 'opening':
      return openingIds(place);
    case 'closing':
      return closingIds(place);
    case 'discard':
      return discardableIds(place).map(({ id, detail }) => ({
        label: id,
        newText: `${id}-->`,
        snippet: false,
        detail,
        documentation: localize({ template: 'Take this block out of the next request.', values: [] }),
      }));
  }
}

/** V1: only the open block can be closed here, any other ID would spoil it. */
function closingIds({ open }: CompletionPlace): readonly CompletionOffer[] {
  if (!open) {
    return [];
  }
  const documentation = localize({ template: 'Close the block that is open here.', values: [] });
  return [{ label: open.id, newText: `${open.id}-->`, snippet: false, documentation, first: true }];
}

/** V1: blocks cannot nest, and an ID is defined once: so nothing inside a block, and an ID that is free elsewhere. */
function openingIds(place: CompletionPlace): readonly CompletionOffer[] {
  if (place.open || closesAlready(place)) {
    return [];
  }
  const orphan = orphanClosing(place);
  const id = freshId(place.prefix.typedId || DEFAULT_ID, place.document, place.project);
  return [
    ...(orphan === undefined
      ? []
      : [
          {
            label: orphan,
            newText: `${orphan}-->`,
            snippet: false,
            documentation: localize({ template: 'Open the block that the closing line below ends.', values: [] }),
            first: true,
          },
        ]),
    {
      label: id,
      newText: `${id}-->${place.newLine}${place.snippets ? '$0' : ''}${place.newLine}${tagLine('closing', id)}`,
      snippet: place.snippets,
      documentation: localize({ template: 'A new block with this ID and its closing line.', values: [] }),
    },
  ];
}

/** Whether the line is an opening with a closing line: another ID is a matter for rename, which changes both. */
function closesAlready({ document: { outline }, lineStart }: CompletionPlace): boolean {
  const tag = outline.declarations.find(({ range }) => range.start === lineStart);
  return tag?.kind === 'opening' && blockOf(outline, tag)?.closing !== undefined;
}
