import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { isContextSource, placesOf } from './places.ts';

/** `base` if no tag line that counts here has it, else the first of `base-2`, `base-3` … that is free. */
export function freshId(base: string, document: OpenDocument, project: Project): string {
  let id = base;
  for (let number = 2; isTaken(id, document, project); number++) {
    id = `${base}-${number}`;
  }
  return id;
}

/**
 * Whether a new block with this ID would meet another tag line: in the document, and where the document is a context
 * source in all the others.
 */
function isTaken(id: string, document: OpenDocument, project: Project): boolean {
  const places = placesOf(id, document, project);
  return isContextSource(document, project) ? places.length > 0 : places.some(({ path }) => path === undefined);
}
