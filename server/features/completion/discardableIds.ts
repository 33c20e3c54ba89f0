import type { Project } from '../../check/project.ts';
import { localize } from '../../localize.ts';
import { visibleText } from '../shared/displayText.ts';
import type { CompletionPlace } from './offer.ts';

/** An ID that a discard line can name, with the place that defines it. */
export interface DiscardableId {
  readonly id: string;
  readonly detail: string;
}

/**
 * The IDs of valid blocks: first those of this document, then those of the context sources in load order. What the
 * document discards on another line already comes last.
 */
export function discardableIds({ document, project, lineStart }: CompletionPlace): readonly DiscardableId[] {
  const { blocks, declarations } = document.outline;
  const own = new Map(blocks.filter(({ valid }) => valid).map(({ id, opening }) => [id, opening]));
  const discarded = new Set(
    declarations.filter(({ kind, range }) => kind === 'discard' && range.start !== lineStart).map(({ id }) => id),
  );
  const ids = [...new Set([...own.keys(), ...project.definedIds])];
  return [...ids.filter(id => !discarded.has(id)), ...ids.filter(id => discarded.has(id))].map(id => {
    const opening = own.get(id);
    const detail = opening
      ? localize({
          template: 'line {0} of this file',
          values: [String(document.positionAt(opening.range.start).line + 1)],
        })
      : definedAt(id, project);
    return { id, detail };
  });
}

function definedAt(id: string, project: Project): string {
  const first = project.definitionsOf(id)[0];
  return first ? visibleText(`${first.source.path}:${first.declaration.line + 1}`) : '';
}
