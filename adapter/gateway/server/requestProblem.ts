/** Why a request that was let in gets no answer of an upstream; the message is for a person. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  /** Of the answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
