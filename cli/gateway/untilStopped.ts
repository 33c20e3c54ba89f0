const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Settles when somebody ends this program: with a signal, by closing what reads its output, or, where `parent` says that a program
 * started it, by closing its input, which also happens when that program dies.
 */
export function untilStopped(parent: boolean): Promise<void> {
  return new Promise(resolve => {
    for (const signal of SIGNALS) {
      process.once(signal, () => resolve());
    }
    process.stdout.once('error', () => resolve());
    if (parent) {
      for (const event of ['end', 'close', 'error'] as const) {
        process.stdin.once(event, () => resolve());
      }
      process.stdin.resume();
    }
  });
}
