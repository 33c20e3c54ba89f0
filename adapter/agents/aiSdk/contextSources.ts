import { readFileSync } from 'node:fs';
import { decodeSource } from '../../../protocol/lifecycle/sourceBytes.ts';
import type { Source } from '../../sessionTypes.ts';

/** A path of a file, or a text with a name that stays the same; `context-file` unless it says otherwise. */
export type ContextSource = string | (Pick<Source, 'source' | 'text'> & Partial<Pick<Source, 'class'>>);

/** Reads files as the protocol says: one leading mark is taken off, UTF-16 is decoded. Throws where a file cannot be read. */
export function readSources(sources: readonly ContextSource[]): readonly Source[] {
  return sources.map(source =>
    typeof source === 'string'
      ? { source, class: 'context-file', text: decodeSource(readFileSync(source), decode).text }
      : { class: 'context-file', ...source },
  );
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
