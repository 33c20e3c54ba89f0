import type { BodyPiece } from '../../../protocol/request/bodyPieces.ts';

/**
 * Puts the record of a body together. Each item of the list that is no hole is a text of its own, led by what parts it from the
 * item before: so the record of the next body, which has some items more, begins with the same pieces.
 */
export class PieceWriter {
  readonly pieces: BodyPiece[] = [];
  /** The messages that were put last, while one may follow them. */
  #run: { readonly from: number; to: number } | undefined;

  text(text: string): void {
    this.#endRun();
    if (text !== '') {
      this.pieces.push(text);
    }
  }

  part(part: 'system' | 'tools'): void {
    this.#endRun();
    this.pieces.push({ part });
  }

  /** A message by its place in the sealed request. */
  message(index: number, separator: string): void {
    if (separator === ',' && this.#run?.to === index) {
      this.#run.to++;
      return;
    }
    this.text(separator);
    this.#run = { from: index, to: index + 1 };
  }

  end(): readonly BodyPiece[] {
    this.#endRun();
    return this.pieces;
  }

  #endRun(): void {
    if (this.#run) {
      this.pieces.push({ messages: [this.#run.from, this.#run.to] });
      this.#run = undefined;
    }
  }
}
