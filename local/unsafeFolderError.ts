/** A folder or a file that other users could read, change or have made: nothing is read from it and nothing is written. */
export class UnsafeFolderError extends Error {
  override readonly name = 'UnsafeFolderError';
  readonly path: string;

  /** `what` and `mend` are sentences. */
  constructor(path: string, what: string, mend: string) {
    super(`${what} ${mend}`);
    this.path = path;
  }
}
