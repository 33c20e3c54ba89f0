import type { Session } from './sessionTypes.ts';
import { sourceText } from './sourceText.ts';

/**
 * Loads the context files that a person's config.json names, before everything that an agent brings, so that a repository
 * cannot take over a block of theirs. Gives a sentence for each file that could not be read.
 */
export function loadUserSources(session: Session, paths: readonly string[]): readonly string[] {
  return paths.flatMap(path => {
    let text: string;
    try {
      text = sourceText(path);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return [`The context file ${path}, which config.json names, was not loaded: ${said}`];
    }
    session.loadSource({ source: path, class: 'context-file', text });
    return [];
  });
}
