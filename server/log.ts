/** The server's log, which the client shows. Console output is no place for it: standard output is the protocol. */
export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
}
