import { count, list, maybe, ordinal, record, type Shape, sha256, text } from '../shape.ts';
import { isJsonArray, isJsonObject, type Json } from './json.ts';

/**
 * A part of the record of a body: text, or a hole that the JSON text of a part of the sealed request fills. Messages, from
 * one up to but without another, have a comma between them.
 */
export type BodyPiece =
  | string
  | { readonly part: 'system' | 'tools' }
  | { readonly messages: readonly [from: number, to: number] };

const bodyPiece: Shape<BodyPiece> = {
  says: 'text, `{part: "system"}`, `{part: "tools"}` or `{messages: [from, to]}`',
  fault: (value, name) => (isPiece(value) ? undefined : `its ${name} is no piece of a body`),
};

function isPiece(value: unknown): boolean {
  if (!isJsonObject(value)) {
    return typeof value === 'string';
  }
  const { part, messages } = value;
  return messages === undefined ? part === 'system' || part === 'tools' : part === undefined && isRun(messages);
}

function isRun(messages: Json): boolean {
  const [from, to, ...more] = isJsonArray(messages) ? messages : [];
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && more.length === 0 && Number(from) >= 0
    ? Number(from) < Number(to)
    : false;
}

/** Data of `request/body`: the bytes that carry a sealed request to a model API. */
export const requestBody = record({
  requestSequence: ordinal,
  /** How many bytes leave. */
  bytes: count,
  /** SHA-256 of the bytes that leave. */
  sha256,
  /** How they are compressed; absent where they are not. */
  encoding: maybe(text),
  /** What was compressed; always, and only, beside `encoding`. */
  decoded: maybe(record({ bytes: count, sha256 })),
  /** The body's text, as a change of that of the body before it in the same instance; absent where the log keeps no content. */
  pieces: maybe(
    record({
      /** How many pieces from the start, and how many up to the end, are those of the body before. */
      keepStart: count,
      keepEnd: count,
      /** What stands between them: texts, and holes that are filled with the JSON text of parts of the sealed request. */
      insert: list(bodyPiece),
    }),
  ),
});

/** A list of pieces as a change of another one. */
export interface PieceSplice {
  readonly keepStart: number;
  readonly keepEnd: number;
  readonly insert: readonly BodyPiece[];
}

/** The smallest change that turns one list of pieces into another. */
export function spliceOf(before: readonly BodyPiece[], after: readonly BodyPiece[]): PieceSplice {
  const most = Math.min(before.length, after.length);
  let keepStart = 0;
  while (keepStart < most && isSamePiece(before[keepStart], after[keepStart])) {
    keepStart++;
  }
  let keepEnd = 0;
  while (keepEnd < most - keepStart && isSamePiece(before.at(-1 - keepEnd), after.at(-1 - keepEnd))) {
    keepEnd++;
  }
  return { keepStart, keepEnd, insert: after.slice(keepStart, after.length - keepEnd) };
}

function isSamePiece(a: BodyPiece | undefined, b: BodyPiece | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') {
    return a === b;
  }
  if ('part' in a || 'part' in b) {
    return 'part' in a && 'part' in b && a.part === b.part;
  }
  return a.messages[0] === b.messages[0] && a.messages[1] === b.messages[1];
}
