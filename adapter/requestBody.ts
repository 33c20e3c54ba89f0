import type { NewEvent } from '../protocol/log/sessionEvents.ts';
import { type BodyPiece, spliceOf } from '../protocol/request/bodyPieces.ts';
import { utf8Length } from '../protocol/utf8Length.ts';
import { sha256 } from './hashing.ts';

/** A body that is about to leave. */
export interface LeavingBody {
  /** What was compressed; only looked at beside `encoding`. */
  readonly text: string;
  /** The text, with holes for parts of the sealed request. */
  readonly pieces: readonly BodyPiece[];
  /** Of the bytes that leave. */
  readonly bytes: number;
  readonly sha256: string;
  /** How they are compressed; absent where they are not. */
  readonly encoding?: string;
}

/** `before` are the pieces of the body before; absent where the log keeps no content. */
export function bodyEvent(requestSequence: number, body: LeavingBody, before?: readonly BodyPiece[]): NewEvent {
  const { text, pieces, bytes, sha256: hash, encoding } = body;
  const compressed = encoding !== undefined && { encoding, decoded: { bytes: utf8Length(text), sha256: sha256(text) } };
  return {
    type: 'request/body',
    data: { requestSequence, bytes, sha256: hash, ...compressed, ...(before && { pieces: ownSplice(before, pieces) }) },
    ignorable: true,
  };
}

function ownSplice(before: readonly BodyPiece[], after: readonly BodyPiece[]): ReturnType<typeof spliceOf> {
  const { insert, ...kept } = spliceOf(before, after);
  return { ...kept, insert: insert.map(own) };
}

/** A text that was cut out of a body would keep all of the body in memory as long as the log is. */
function own(piece: BodyPiece): BodyPiece {
  return typeof piece === 'string' ? (JSON.parse(JSON.stringify(piece)) as string) : piece;
}
