import { tagLine } from '../../../protocol/lifecycle/declaration.ts';
import { localize } from '../../localize.ts';
import { freshId } from '../shared/freshId.ts';
import { discardableIds } from './discardableIds.ts';
import type { CompletionOffer, CompletionPlace } from './offer.ts';
import { orphanClosing } from './orphanClosing.ts';

/** More than these are found by typing on to the ID. */
const MAX_DISCARD_LINES = 20;

/**
 * Whole tag lines; discards come last, for there may be many. Inside a block its closing line comes first, and no other block is offered; a discard inside a block
 * only to somebody who has begun to type one.
 */
export function lineOffers(place: CompletionPlace): readonly CompletionOffer[] {
  const { open, prefix } = place;
  const offers = [
    ...(open ? [closingLine(open.id)] : blockLines(place)),
    ephemeralLine(),
    ...(open && !prefix.before.startsWith('<!--D') ? [] : discardLines(place)),
  ];
  return offers.filter(({ label }) => label.startsWith(prefix.before));
}

function closingLine(id: string): CompletionOffer {
  const line = tagLine('closing', id);
  const documentation = localize({ template: 'Close the block that is open here.', values: [] });
  return { label: line, newText: line, snippet: false, documentation, first: true };
}

function blockLines(place: CompletionPlace): readonly CompletionOffer[] {
  const { document, project, snippets, newLine } = place;
  const orphan = orphanClosing(place);
  const id = freshId('block', document, project);
  const field = (placeholder: string): string => (snippets ? placeholder : id);
  return [
    ...(orphan === undefined ? [] : [openingLine(orphan)]),
    {
      label: tagLine('opening', id),
      newText: [tagLine('opening', field(`\${1:${id}}`)), snippets ? '$0' : '', tagLine('closing', field('$1'))].join(
        newLine,
      ),
      snippet: snippets,
      detail: localize({ template: 'opening and closing line', values: [] }),
      documentation: localize({
        template: 'A block: its text is part of every request to the model until the block is discarded.',
        values: [],
      }),
    },
  ];
}

function openingLine(id: string): CompletionOffer {
  const line = tagLine('opening', id);
  const documentation = localize({ template: 'Open the block that the closing line below ends.', values: [] });
  return { label: line, newText: line, snippet: false, documentation, first: true };
}

function discardLines(place: CompletionPlace): readonly CompletionOffer[] {
  const documentation = localize({ template: 'Take this block out of the next request.', values: [] });
  return discardableIds(place)
    .slice(0, MAX_DISCARD_LINES)
    .map(({ id, detail }) => {
      const line = tagLine('discard', id);
      return { label: line, newText: line, snippet: false, detail, documentation };
    });
}

function ephemeralLine(): CompletionOffer {
  const line = tagLine('ephemeral');
  return {
    label: line,
    newText: line,
    snippet: false,
    documentation: localize({
      template: 'The message or tool result that holds this line is shown to the model once.',
      values: [],
    }),
  };
}
