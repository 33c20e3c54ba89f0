import { resolve } from 'node:path';
import type { Source } from '../../sessionTypes.ts';
import { sourceText } from '../../sourceText.ts';
import { sentenceOf } from '../tell.ts';

/** A path of a file, or a text with a name that stays the same; `context-file` unless it says otherwise. */
export type ContextSource = string | (Pick<Source, 'source' | 'text'> & Partial<Pick<Source, 'class'>>);

/** Says which context file could not be read, and why. */
class ContextFileError extends Error {
  override readonly name = 'ContextFileError';
}

/**
 * Reads files as the protocol says: one leading mark is taken off, UTF-16 is decoded. Throws `ContextFileError` where a file
 * cannot be read.
 */
export function readSources(sources: readonly ContextSource[]): readonly Source[] {
  return sources.map(source =>
    typeof source === 'string'
      ? { source, class: 'context-file', text: textOf(source) }
      : { class: 'context-file', ...source },
  );
}

function textOf(path: string): string {
  try {
    return sourceText(path);
  } catch (error) {
    const sentence = `The context file ${resolve(path)} was not loaded, so nothing is sent: ${sentenceOf(error)}`;
    throw new ContextFileError(sentence, { cause: error });
  }
}
