import type { Hover, Position } from 'vscode-languageserver';
import type { Declaration } from '../../protocol/lifecycle/declaration.ts';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { localize } from '../localize.ts';
import { blockSize, placeCount } from './shared/counts.ts';
import { codeSpan, markup, visibleText } from './shared/displayText.ts';
import { discardNote, inactiveReason } from './shared/inactiveReason.ts';
import { type Place, placesOf } from './shared/places.ts';
import { blockOf, tagAt } from './shared/tagAt.ts';

const MAX_PLACES = 10;

/**
 * What the tag line at the position does, how large its block is, where else its ID stands, and why it has no effect if
 * it has none. Null on every other line: a near miss has a diagnostic, and prose has nothing to say.
 */
export function hover(
  document: OpenDocument,
  position: Position,
  project: Project,
  support: { readonly markdown: boolean },
): Hover | null {
  const tag = tagAt(document, position);
  if (!tag) {
    return null;
  }
  const style = support.markdown ? MARKDOWN : PLAIN;
  const paragraphs = tag.kind === 'ephemeral' ? [ephemeralText()] : idParagraphs(tag, document, project, style);
  return { contents: markup(paragraphs, support.markdown), range: document.rangeOf(tag.range) };
}

/** How an ID and a path are written; all other text is our own. */
interface Style {
  code(id: string): string;
  text(value: string): string;
}

const MARKDOWN: Style = { code: codeSpan, text: value => (/^[^\W_]+$/.test(value) ? value : codeSpan(value)) };
const PLAIN: Style = { code: id => `'${id}'`, text: visibleText };

function ephemeralText(): string {
  return localize({
    template:
      'The message or tool result that holds this line is shown to the model once. After the next answer, a short note of its size stands in its place.',
    values: [],
  });
}

function idParagraphs(tag: Declaration, document: OpenDocument, project: Project, style: Style): readonly string[] {
  const block = blockOf(document.outline, tag);
  const places = placesOf(tag.id, document, project);
  const reason = inactiveReason(tag, document, places, project);
  const note = reason ?? discardNote(tag, places);
  return [
    meaning(tag, document, style, reason === undefined),
    ...(block?.closing ? [blockSize(document, block)] : []),
    ...(note ? [localize({ ...note, values: note.values.map(style.text) })] : []),
    ...otherPlaces(tag, document, places, style),
  ];
}

function meaning(tag: Declaration, document: OpenDocument, style: Style, active: boolean): string {
  const id = style.code(tag.id);
  if (tag.kind === 'discard') {
    return active
      ? localize({
          template: 'Discards block {0}: where this line is trusted, the next request no longer holds the block.',
          values: [id],
        })
      : localize({
          template:
            'Would discard block {0}: where this line is trusted, the next request would no longer hold the block.',
          values: [id],
        });
  }
  if (tag.kind === 'opening') {
    return active
      ? localize({
          template: 'Opens block {0}: its text is part of every request to the model until the block is discarded.',
          values: [id],
        })
      : localize({
          template:
            'Would open block {0}: its text would be part of every request to the model until the block is discarded.',
          values: [id],
        });
  }
  const opening = blockOf(document.outline, tag)?.opening;
  return opening
    ? localize({
        template: 'Closes block {0}, which opens on line {1}.',
        values: [id, String(document.positionAt(opening.range.start).line + 1)],
      })
    : localize({ template: 'Would close block {0}.', values: [id] });
}

function otherPlaces(
  tag: Declaration,
  document: OpenDocument,
  places: readonly Place[],
  style: Style,
): readonly string[] {
  const line = document.positionAt(tag.range.start).line;
  const others = places.filter(place => place.path !== undefined || place.line.start.line !== line);
  if (others.length === 0) {
    return [];
  }
  const lines = others.slice(0, MAX_PLACES).map(place => `- ${placeText(place, style)}`);
  const left = others.length - lines.length;
  return [
    [
      localize({ template: 'Other places of this ID:', values: [] }),
      '',
      ...lines,
      ...(left > 0 ? [`- ${placeCount(left)}`] : []),
    ].join('\n'),
  ];
}

function placeText({ path, kind, line }: Place, style: Style): string {
  const number = String(line.start.line + 1);
  const where =
    path === undefined
      ? localize({ template: 'line {0} of this file', values: [number] })
      : style.text(`${path}:${number}`);
  switch (kind) {
    case 'opening':
      return localize({ template: '{0} opens the block', values: [where] });
    case 'closing':
      return localize({ template: '{0} closes it', values: [where] });
    default:
      return localize({ template: '{0} discards it', values: [where] });
  }
}
