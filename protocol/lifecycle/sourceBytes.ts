/** What a reader of files notes about bytes that the editor's text no longer shows (DESIGN flow 1). */
export const BYTE_NOTE_CODES = ['byte-order-mark', 'utf-16', 'invalid-utf8', 'mixed-line-ends', 'lone-cr'] as const;

export type ByteNoteCode = (typeof BYTE_NOTE_CODES)[number];
