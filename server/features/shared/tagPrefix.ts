import { type DeclarationKind, isBlockIdCode, TAG_PREFIX, tagLine } from '../../../protocol/lifecycle/declaration.ts';

/** What a person has typed of a tag line, up to the cursor. */
export interface TagPrefix {
  readonly before: string;
  /** The kind of tag line whose ID the cursor stands in; undefined while the keyword is not finished. */
  readonly idOf: Exclude<DeclarationKind, 'ephemeral'> | undefined;
  /** The part of the ID before the cursor; empty outside an ID. */
  readonly typedId: string;
}

const ID_KINDS = ['opening', 'closing', 'discard'] as const;
/** What may stand behind the cursor already: an end that an editor has closed by itself, or the rest of a tag line. */
const TAIL = /(?:-?->|>)?[ \t]*$/;

/** A line that goes on for longer is no tag line, and is not searched for a tail. */
const MAX_REST = 1000;

/**
 * Reads the line around the cursor. Undefined unless it could still become a tag line: what stands before the cursor is
 * the start of one, and what stands behind it is its rest, which a completion then replaces.
 */
export function tagPrefix(before: string, after: string): TagPrefix | undefined {
  if (after.length > MAX_REST || !isStartOfTag(before) || !isStartOfTag(before + after.replace(TAIL, ''))) {
    return undefined;
  }
  const idOf = ID_KINDS.find(kind => before.startsWith(TAG_PREFIX[kind]));
  return { before, idOf, typedId: idOf ? before.slice(TAG_PREFIX[idOf].length) : '' };
}

function isStartOfTag(text: string): boolean {
  const ephemeral = tagLine('ephemeral');
  return (
    (text.length < ephemeral.length && ephemeral.startsWith(text)) ||
    ID_KINDS.some(kind => TAG_PREFIX[kind].startsWith(text) || isStartOfId(text, TAG_PREFIX[kind]))
  );
}

function isStartOfId(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix)) {
    return false;
  }
  for (let at = prefix.length; at < text.length; at++) {
    if (!isBlockIdCode(text.charCodeAt(at))) {
      return false;
    }
  }
  return true;
}
