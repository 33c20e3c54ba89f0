/**
 * The only error that functions which read a log throw (DESIGN, The log). `index` is the event's place in the list that
 * was read and `seq` what the event says of itself. Both are absent where a delta was applied outside a log; `seq` is
 * absent too where the event has none.
 */
export class CorruptLogError extends Error {
  override readonly name = 'CorruptLogError';
  readonly index: number | undefined;
  readonly seq: number | undefined;
  /** What is wrong, as a part of a sentence. */
  readonly reason: string;

  /** `subject` is what cannot be used, and what is left to do: given where it is no event and no header change. */
  constructor(index: number | undefined, seq: number | undefined, reason: string, subject?: readonly [string, string]) {
    const [what, advice] =
      subject ??
      (index === undefined
        ? ['This header change', 'Keep the header before it.']
        : [`Event ${index} of the log${seqNote(seq)}`, READABLE]);
    super(`${what} cannot be used: ${reason}. ${advice}`);
    this.index = index;
    this.seq = seq;
    this.reason = reason;
  }
}

const READABLE = 'The events before it can still be read.';

/** Makes the error for one place; the caller throws it. */
export type Fault = (reason: string) => CorruptLogError;

/** A fault of an event at a place in the list that is read. */
export function faultAt(index: number, event: unknown): Fault {
  return reason => new CorruptLogError(index, seqOf(event), reason);
}

/** A fault of a log's first line, before which there is no event. */
export const faultOfFirstLine: Fault = reason =>
  new CorruptLogError(undefined, undefined, reason, ['The first line of this log', 'Nothing of the log was read.']);

/** A fault of a delta that stands in no log. */
export const faultOutsideLog: Fault = reason => new CorruptLogError(undefined, undefined, reason);

function seqNote(seq: number | undefined): string {
  return seq === undefined ? '' : ` (seq ${seq})`;
}

function seqOf(event: unknown): number | undefined {
  const seq = typeof event === 'object' && event !== null && 'seq' in event ? event.seq : undefined;
  return typeof seq === 'number' ? seq : undefined;
}
