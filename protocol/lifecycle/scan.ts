import { type Declaration, readDeclaration } from './declaration.ts';
import type { Work } from './text.ts';

/**
 * The exact tag lines of a text, in order. Looks only where `<!--` stands and allocates nothing for ordinary lines.
 */
export function scanDeclarations(text: string, work?: Work): readonly Declaration[] {
  const declarations: Declaration[] = [];
  let at = text.indexOf('<!--');
  while (at >= 0) {
    const declaration = readDeclaration(text, at);
    if (declaration) {
      declarations.push(declaration);
    }
    at = text.indexOf('<!--', declaration ? declaration.next : at + 4);
  }
  if (work) {
    work.visited += text.length;
  }
  return declarations;
}
