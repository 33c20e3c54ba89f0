import { SpliceList } from '../spliceList.ts';
import { type BodyPiece, requestBody } from './bodyPieces.ts';
import { bodyText } from './bodyText.ts';
import { type Fault, faultAt } from './corruptLogError.ts';
import { type LogEvent, typeOf } from './logEvent.ts';
import type { SealedRequest } from './sealer.ts';

/** The record of one body. */
interface LoggedBody {
  readonly pieces: SpliceList<BodyPiece>;
  /** Of its text. */
  readonly bytes: number;
  readonly fault: Fault;
}

/** The bodies of a log: each is kept as a list of pieces that shares nearly all with the one before it. */
export class BodyHistory {
  readonly #bodies = new Map<number, LoggedBody>();
  #last: SpliceList<BodyPiece> = SpliceList.empty();

  /** Those of the last body of this instance; none before its first. */
  get pieces(): readonly BodyPiece[] {
    return this.#last.toArray();
  }

  /** Throws `CorruptLogError` where the event cannot be read, or keeps pieces that are not there; then nothing has changed. */
  append(event: LogEvent, index: number): void {
    const type = typeOf(event);
    if (type === 'session/opened') {
      this.#last = SpliceList.empty();
    } else if (type === 'request/body') {
      this.#take(event.data, faultAt(index, event));
    }
  }

  /**
   * The text of the body of a request; absent where none is logged, or none of its content. Throws `CorruptLogError` where its
   * pieces do not fit the request.
   */
  textOf(request: SealedRequest, requestSequence: number): string | undefined {
    const body = this.#bodies.get(requestSequence);
    return body && bodyText(body.pieces.toArray(), request, body.bytes, body.fault);
  }

  #take(given: unknown, fault: Fault): void {
    const wrong = requestBody.fault(given, 'data');
    if (wrong) {
      throw fault(wrong);
    }
    const { requestSequence, bytes, encoding, decoded, pieces } = given as typeof requestBody.value & object;
    if ((encoding === undefined) !== (decoded === undefined)) {
      throw fault('it says how its body is compressed, or what was compressed, but not both');
    }
    if (!pieces) {
      return;
    }
    if (this.#bodies.has(requestSequence)) {
      throw fault(`request ${requestSequence} has a body already`);
    }
    const { keepStart, keepEnd, insert } = pieces;
    if (keepStart + keepEnd > this.#last.length) {
      throw fault(`it keeps ${keepStart + keepEnd} pieces of a body that has ${this.#last.length}`);
    }
    this.#last = this.#last.splice(keepStart, keepEnd, insert);
    this.#bodies.set(requestSequence, { pieces: this.#last, bytes: decoded?.bytes ?? bytes, fault });
  }
}
