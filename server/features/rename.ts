import { LSPErrorCodes, type Position, ResponseError, type WorkspaceEdit } from 'vscode-languageserver';
import { isBlockId } from '../../protocol/lifecycle/declaration.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { localize } from '../localize.ts';
import { visibleText } from './shared/displayText.ts';
import { type FileEdits, workspaceEdit } from './shared/edits.ts';
import { isContextSource, type Place, placesOf } from './shared/places.ts';
import { idTagAt } from './shared/tagAt.ts';

/** How a rename is written for this client. */
export interface RenameSupport {
  readonly documentChanges: boolean;
  /** The version of an open document; null for a file that is not open. */
  versionOf(uri: string): number | null;
}

/** A longer name is cut in the error that refuses it. */
const MAX_SHOWN = 60;

/**
 * The edit that gives the ID at the position another name: in the document and on every opening, closing and discard
 * line of the context sources. A block of a document that is no context source belongs to that document alone.
 * Throws a `ResponseError`, whose message the user reads, where there is no ID, or the name is illegal or taken; nothing
 * is renamed then (editor-bugs 37).
 */
export function rename(
  document: OpenDocument,
  position: Position,
  newName: string,
  project: Project,
  support: RenameSupport,
): WorkspaceEdit {
  const tag = idTagAt(document, position);
  if (!tag) {
    throw refusal({ template: 'Nothing was renamed: there is no block ID here.', values: [] });
  }
  if (!isBlockId(newName)) {
    const values = [visibleText(newName.slice(0, MAX_SHOWN))];
    throw refusal({
      template: "'{0}' cannot be a block ID: use only the letters a to z, digits, '-' and '_'.",
      values,
    });
  }
  if (newName === tag.id) {
    return workspaceEdit([], support.documentChanges);
  }
  const inScope = scopeOf(tag.id, document, project);
  const taken = placesOf(newName, document, project).find(inScope);
  if (taken) {
    throw refusal(takenMessage(newName, taken));
  }
  const places = placesOf(tag.id, document, project).filter(inScope);
  return workspaceEdit(editsByFile(places, newName, document, support), support.documentChanges);
}

/** Which places of an ID belong together with the one that is renamed. */
function scopeOf(id: string, document: OpenDocument, project: Project): (place: Place) => boolean {
  const isPrivate =
    !isContextSource(document, project) &&
    document.outline.declarations.some(tag => tag.kind === 'opening' && tag.id === id);
  return ({ path }) => path === undefined || !isPrivate;
}

function takenMessage(id: string, { path, line }: Place): Message {
  const number = String(line.start.line + 1);
  return path === undefined
    ? { template: "Block ID '{0}' is already used on line {1} of this file; choose another one.", values: [id, number] }
    : {
        template: "Block ID '{0}' is already used in {1} on line {2}; choose another one.",
        values: [id, visibleText(path), number],
      };
}

function editsByFile(
  places: readonly Place[],
  newText: string,
  document: OpenDocument,
  support: RenameSupport,
): readonly FileEdits[] {
  const byUri = new Map<string, Place[]>();
  for (const place of places) {
    const known = byUri.get(place.uri);
    if (known) {
      known.push(place);
    } else {
      byUri.set(place.uri, [place]);
    }
  }
  return [...byUri].map(([uri, list]) => ({
    uri,
    version: uri === document.uri ? document.version : support.versionOf(uri),
    edits: list.map(({ id }) => ({ range: id, newText })),
  }));
}

function refusal(message: Message): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, localize(message));
}
