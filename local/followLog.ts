import { type FSWatcher, watch } from 'node:fs';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { LogBytes } from './logBytes.ts';
import { openLogFile, readPieces } from './logFile.ts';

/** Where the system says nothing of changes (some network drives and containers), the file is looked at so often. */
const POLL_MS = 500;

/**
 * The events of a log from `seq` `from` on, then each new one as soon as its line is whole, until `signal` ends it or the file is
 * removed. Throws `CorruptLogError` at a place that cannot be read, after the events before it, and what `readLog` rejects with.
 */
export async function* followLog(path: string, signal: AbortSignal, from = 0): AsyncGenerator<LogEvent> {
  const file = await openLogFile(path);
  const changes = new Changes(path, signal);
  try {
    const bytes = new LogBytes();
    const { reader } = bytes;
    let offset = 0;
    let next = from;
    let last: LogEvent | undefined;
    while (!signal.aborted) {
      const seen = changes.count;
      const { nlink } = await file.stat();
      offset = await readPieces(file, offset, piece => bytes.write(piece));
      // A line that lacked only its end may have counted as an event, and a log/torn may have taken its place.
      if (last && reader.events[next - 1] !== last) {
        next--;
      }
      for (; next < reader.events.length; next++) {
        last = reader.events[next];
        if (last) {
          yield last;
        }
      }
      if (reader.fault) {
        throw reader.fault;
      }
      if (nlink === 0) {
        return;
      }
      await changes.after(seen);
    }
  } finally {
    changes.end();
    await file.close();
  }
}

/** Waits for changes of a file. */
class Changes {
  count = 0;
  readonly #signal: AbortSignal;
  readonly #watcher: FSWatcher | undefined;
  #wake: (() => void) | undefined;

  constructor(path: string, signal: AbortSignal) {
    this.#signal = signal;
    this.#watcher = watcherOf(path, () => this.#changed());
    signal.addEventListener('abort', this.#changed);
  }

  /** Resolves when there was a change since `count` was `seen`, when it is time to look in any case, and at the end. */
  async after(seen: number): Promise<void> {
    if (this.count !== seen || this.#signal.aborted) {
      return;
    }
    const { promise, resolve } = withResolver();
    const timer = setTimeout(resolve, POLL_MS);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  end(): void {
    this.#watcher?.close();
    this.#signal.removeEventListener('abort', this.#changed);
  }

  readonly #changed = (): void => {
    this.count++;
    this.#wake?.();
  };
}

function watcherOf(path: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, changed);
    // A watch that breaks leaves the looking at intervals.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}
