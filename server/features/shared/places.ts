import type { Location, Range } from 'vscode-languageserver';
import { type DeclarationKind, idRange, TAG_PREFIX } from '../../../protocol/lifecycle/declaration.ts';
import type { PlacedDeclaration, Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { uriKey } from '../../uriKey.ts';

/** One tag line with an ID, in this document or in a context source. */
export interface Place {
  readonly uri: string;
  /** Relative to its workspace folder; undefined for the document in question. */
  readonly path: string | undefined;
  readonly kind: DeclarationKind;
  /** Only for an opening: whether its block is valid in its own document. */
  readonly valid: boolean;
  readonly line: Range;
  readonly id: Range;
}

/**
 * Every tag line with the ID: those of the context sources in load order, and those of the document. What the project
 * knows of the document itself may be older than the text, so its outline is asked instead; a document that is no
 * context source comes first.
 */
export function placesOf(id: string, document: OpenDocument, project: Project): readonly Place[] {
  const own = ownPlaces(id, document);
  const key = uriKey(document.uri);
  const isOwn = ({ source }: PlacedDeclaration): boolean => uriKey(source.uri) === key;
  const known = project.placesOf(id);
  const ownAt = known.some(isOwn) ? known.findIndex(isOwn) : countBefore(key, known, project);
  const others = known.slice(ownAt).filter(place => !isOwn(place));
  return [...known.slice(0, ownAt).map(placeOf), ...own, ...others.map(placeOf)];
}

/** How many of the places stand in sources that are loaded before the document; none when it is no context source. */
function countBefore(key: string, places: readonly PlacedDeclaration[], project: Project): number {
  const own = project.sources.findIndex(({ uri }) => uriKey(uri) === key);
  const earlier = new Set(project.sources.slice(0, Math.max(own, 0)));
  return places.filter(({ source }) => earlier.has(source)).length;
}

/** Whether agents load the document: it is one of the project's context sources. */
export function isContextSource(document: OpenDocument, project: Project): boolean {
  return project.isSource(document.uri) || project.isSource(uriKey(document.uri));
}

/** The place's ID as a location. */
export function idLocation({ uri, id }: Place): Location {
  return { uri, range: id };
}

function ownPlaces(id: string, document: OpenDocument): readonly Place[] {
  const { declarations, blocks } = document.outline;
  const tags = declarations.filter(tag => tag.kind !== 'ephemeral' && tag.id === id);
  const valid = new Set(blocks.filter(block => block.id === id && block.valid).map(({ opening }) => opening));
  return tags.map(tag => ({
    uri: document.uri,
    path: undefined,
    kind: tag.kind,
    valid: valid.has(tag),
    line: document.rangeOf(tag.range),
    id: document.rangeOf(idRange(tag)),
  }));
}

/** A tag line of another file is ASCII and starts at column 0, so its columns are the same in every encoding. */
export function placeOf({ source, declaration }: PlacedDeclaration): Place {
  const { kind, id, line, length, valid } = declaration;
  const start = TAG_PREFIX[kind].length;
  return {
    uri: source.uri,
    path: source.path,
    kind,
    valid,
    line: { start: { line, character: 0 }, end: { line, character: length } },
    id: { start: { line, character: start }, end: { line, character: start + id.length } },
  };
}
