import type { Declaration } from '../../../protocol/lifecycle/declaration.ts';
import { type ProblemCode, STRUCTURAL_CODES } from '../../../protocol/lifecycle/problem.ts';
import type { Message } from '../../../protocol/lifecycle/text.ts';
import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { isContextSource, type Place } from './places.ts';
import { blockOf } from './tagAt.ts';

/** What, standing inside a block, makes it invalid. */
const SPOILING: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['nested-block', 'mismatched-block-end']);

/**
 * Why a tag line has not the effect that it asks for, as far as the workspace tells; undefined when nothing stands
 * against it. `places` are all places of its ID (`placesOf`).
 */
export function inactiveReason(
  tag: Declaration,
  document: OpenDocument,
  places: readonly Place[],
  project: Project,
): Message | undefined {
  if (tag.kind === 'discard') {
    return discardReason(tag, places);
  }
  return structuralReason(tag, document) ?? sourceReason(document, places, project);
}

function discardReason({ id }: Declaration, places: readonly Place[]): Message | undefined {
  if (places.some(({ valid }) => valid)) {
    return undefined;
  }
  return places.some(({ kind }) => kind === 'opening')
    ? { template: "No valid block '{0}' is known, so this line discards nothing.", values: [id] }
    : { template: "No known file defines block '{0}', so this line discards nothing.", values: [id] };
}

/** V1: an invalid block definition is ordinary Markdown and activates nothing. */
function structuralReason(tag: Declaration, document: OpenDocument): Message | undefined {
  const { outline } = document;
  const block = blockOf(outline, tag);
  if (block?.valid) {
    return undefined;
  }
  const own = outline.problems.find(({ code, range }) => STRUCTURAL_CODES.has(code) && range.start === tag.range.start);
  if (own) {
    return own.message;
  }
  const { id, opening, closing } = block ?? { id: tag.id };
  const openings = outline.declarations.filter(other => other.kind === 'opening' && other.id === id);
  if (openings.length > 1) {
    return {
      template: "Not active: this document opens '{0}' more than once.",
      values: [id],
    };
  }
  const end = closing?.range.start ?? Number.POSITIVE_INFINITY;
  const inside = outline.problems.find(
    ({ code, range }) => SPOILING.has(code) && opening && range.start > opening.range.start && range.start < end,
  );
  return inside
    ? {
        template: 'Not active: line {0}, inside this block, makes it invalid.',
        values: [String(document.positionAt(inside.range.start).line + 1)],
      }
    : { template: 'Not active: the block is not valid.', values: [] };
}

function sourceReason(document: OpenDocument, places: readonly Place[], project: Project): Message | undefined {
  if (!isContextSource(document, project)) {
    return {
      template:
        'Not active: this file is none of the context sources (setting contextLifecycle.sources), so no agent is known to load it.',
      values: [],
    };
  }
  const first = places.find(({ valid }) => valid);
  return first?.path === undefined
    ? undefined
    : {
        template: 'Not active: {0}:{1} is loaded first and defines the same ID.',
        values: [first.path, String(first.line.start.line + 1)],
      };
}

/** Which known line may end the effect of an active block's tag line; undefined when there is none. */
export function discardNote(tag: Declaration, places: readonly Place[]): Message | undefined {
  const discard = tag.kind === 'discard' ? undefined : places.find(({ kind }) => kind === 'discard');
  if (!discard) {
    return undefined;
  }
  const line = String(discard.line.start.line + 1);
  return discard.path === undefined
    ? {
        template: 'Line {0} of this file discards this block where the file is trusted to do so.',
        values: [line],
      }
    : { template: '{0}:{1} discards this block where that file is trusted to do so.', values: [discard.path, line] };
}
