import type { BodyEdit } from './bodyView.ts';

/**
 * The bytes of a text after its edits, from its own bytes: what stays is not encoded anew. `text` is what the bytes hold in UTF-8;
 * edits are in order.
 */
export function editedBytes(bytes: Uint8Array, text: string, edits: readonly BodyEdit[]): Buffer {
  const isAscii = bytes.length === text.length;
  const pieces: Uint8Array[] = [];
  let characters = 0;
  let at = 0;
  const offset = (place: number): number => {
    at += isAscii ? place - characters : Buffer.byteLength(text.slice(characters, place));
    characters = place;
    return at;
  };
  let from = 0;
  for (const edit of edits) {
    pieces.push(bytes.subarray(from, offset(edit.start)), Buffer.from(edit.text));
    from = offset(edit.end);
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}
