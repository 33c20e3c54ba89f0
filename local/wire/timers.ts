/** A clock that tests can turn by hand. */
export interface Timers {
  /** Calls `action` once, some milliseconds from now; gives the function that prevents it. */
  after(milliseconds: number, action: () => void): () => void;
}

/** The machine's own clock. A timer of `background` does not keep a program from ending. */
export function machineTimers({ background }: { readonly background: boolean }): Timers {
  return {
    after(milliseconds, action) {
      const timer = setTimeout(action, milliseconds);
      if (background) {
        timer.unref();
      }
      return () => clearTimeout(timer);
    },
  };
}
