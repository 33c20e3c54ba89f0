import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { uriKey } from '../../uriKey.ts';
import { isContextSource } from './places.ts';

/** `base` if no tag line that counts here has it, else the first of `base-2`, `base-3` … that is free. */
export function freshId(base: string, document: OpenDocument, project: Project): string {
  const isTaken = takenIds(document, project);
  let id = base;
  for (let number = 2; isTaken(id); number++) {
    id = `${base}-${number}`;
  }
  return id;
}

/**
 * Whether a new block with an ID would meet another tag line: in the document, and where the document is a context
 * source in all the others. Looks through the document once, for it may hold the first hundred thousand IDs.
 */
function takenIds(document: OpenDocument, project: Project): (id: string) => boolean {
  const own = new Set(document.outline.declarations.map(({ id }) => id));
  if (!isContextSource(document, project)) {
    return id => own.has(id);
  }
  const key = uriKey(document.uri);
  return id => own.has(id) || project.placesOf(id).some(({ source }) => uriKey(source.uri) !== key);
}
