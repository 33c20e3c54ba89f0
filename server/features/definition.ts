import type { Location, LocationLink, Position } from 'vscode-languageserver';
import { type Declaration, idRange } from '../../protocol/lifecycle/declaration.ts';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { idLocation, type Place, placesOf } from './shared/places.ts';
import { blockOf, idTagAt } from './shared/tagAt.ts';

/**
 * Where the tag line at the position leads: from a closing line to the opening, from an opening to its closing line (to
 * itself while there is none), from a discard to the blocks that it can mean, in load order. Null off our lines, on an
 * ephemeral line and where nothing fits. Links where the client takes them, else locations.
 */
export function definition(
  document: OpenDocument,
  position: Position,
  project: Project,
  support: { readonly links: boolean },
): Location[] | LocationLink[] | null {
  const tag = idTagAt(document, position);
  if (!tag) {
    return null;
  }
  const places = placesOf(tag.id, document, project);
  const targets = tag.kind === 'discard' ? definedPlaces(places) : ownTargets(tag, document, places);
  if (targets.length === 0) {
    return null;
  }
  return support.links
    ? targets.map(({ uri, line, id }) => ({
        originSelectionRange: document.rangeOf(idRange(tag)),
        targetUri: uri,
        targetRange: line,
        targetSelectionRange: id,
      }))
    : targets.map(idLocation);
}

/** Valid definitions; where there is none, the openings that fail to define the block show at least why. */
function definedPlaces(places: readonly Place[]): readonly Place[] {
  const valid = places.filter(place => place.valid);
  return valid.length > 0 ? valid : places.filter(({ kind }) => kind === 'opening');
}

function ownTargets(tag: Declaration, document: OpenDocument, places: readonly Place[]): readonly Place[] {
  const block = blockOf(document.outline, tag);
  const target = tag.kind === 'opening' ? (block?.closing ?? tag) : block?.opening;
  const own = places.filter(({ path }) => path === undefined);
  if (!target) {
    return own.filter(({ kind }) => kind === 'opening');
  }
  const { line } = document.positionAt(target.range.start);
  return own.filter(place => place.line.start.line === line);
}
