import type { Source } from '../../sessionTypes.ts';
import { sourceText } from '../../sourceText.ts';

/** A path of a file, or a text with a name that stays the same; `context-file` unless it says otherwise. */
export type ContextSource = string | (Pick<Source, 'source' | 'text'> & Partial<Pick<Source, 'class'>>);

/** Reads files as the protocol says: one leading mark is taken off, UTF-16 is decoded. Throws where a file cannot be read. */
export function readSources(sources: readonly ContextSource[]): readonly Source[] {
  return sources.map(source =>
    typeof source === 'string'
      ? { source, class: 'context-file', text: sourceText(source) }
      : { class: 'context-file', ...source },
  );
}
