import type { Location, Position, ReferenceContext } from 'vscode-languageserver';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { idLocation, placesOf } from './shared/places.ts';
import { idTagAt } from './shared/tagAt.ts';

/**
 * Every place of the ID at the position, in the document and in all context sources, in load order. Opening lines are
 * the declarations. Empty off our lines.
 */
export function references(
  document: OpenDocument,
  position: Position,
  project: Project,
  { includeDeclaration }: ReferenceContext,
): Location[] {
  const tag = idTagAt(document, position);
  if (!tag) {
    return [];
  }
  return placesOf(tag.id, document, project)
    .filter(({ kind }) => includeDeclaration || kind !== 'opening')
    .map(idLocation);
}
