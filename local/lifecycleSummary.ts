import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lifecycleEvents } from '../protocol/lifecycle/lifecycleEvents.ts';
import { MAX_LINE_LENGTH } from '../protocol/log/logReader.ts';
import { parseLogHeader } from '../protocol/log/parseLogHeader.ts';
import { readEvent } from '../protocol/log/readEvent.ts';
import { logHeader } from '../protocol/log/sessionEvents.ts';
import { withoutContent } from '../protocol/log/withoutContent.ts';
import { CorruptLogError } from '../protocol/request/corruptLogError.ts';
import { isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { count, list, type Of, object, oneOf, record, text } from '../protocol/shape.ts';
import { openLogFile, PIECE_BYTES, readPieces } from './logFile.ts';
import { ensurePrivateFolder, openPrivateFile } from './privateFolder.ts';
import { replacePrivateFile } from './replacePrivateFile.ts';

const SUMMARY_VERSION = 1;
/** The folder of the summaries, in that of the logs. */
export const SUMMARIES = 'summaries';
export const SUMMARY_SUFFIX = '.json';

const summary = record({
  version: count,
  header: logHeader,
  /** Unix milliseconds at which the log was removed. */
  removed: count,
  /** Requests that were sealed. */
  requests: count,
  blocks: list(record({ id: text, status: oneOf('active', 'discarded'), source: text })),
  /** What happened to blocks, discards and ephemeral units, as it was logged, without content. */
  events: list(object<LogEvent>('an event')),
});

/** What is left of a session whose log was removed: what was defined, discarded and consumed. It holds no content. */
export type LifecycleSummary = Of<typeof summary>;

/** What was only on its way, or says how sources are, means nothing to a session that goes on. */
const FORGOTTEN: ReadonlySet<string> = new Set(['source/loaded', 'source/drifted', 'ephemeral/admitted']);
const KEPT: ReadonlySet<string> = new Set(Object.keys(lifecycleEvents).filter(type => !FORGOTTEN.has(type)));
/** A line without any of these is not even parsed, so that a log of gigabytes costs neither time nor memory. */
const MAYBE_KEPT = new RegExp(`"(?:${[...KEPT, 'request/sealed', 'log/torn'].join('|')})"`);

/** A line in more pieces is garbage that would fill the memory: it and what follows it are left out. */
const MAX_LINE_PIECES = (3 * MAX_LINE_LENGTH) / PIECE_BYTES + 1;

/**
 * Reads from a log what its summary says; the log may be damaged behind its first line. `earlier` is what was left of a log of the same
 * session before. Rejects with `CorruptLogError` when the first line cannot be used.
 */
export async function summarise(log: string, removed: number, earlier?: LifecycleSummary): Promise<LifecycleSummary> {
  const gathered = new Gathered(earlier);
  const file = await openLogFile(log);
  try {
    await readPieces(file, 0, piece => gathered.write(piece));
  } finally {
    await file.close();
  }
  return gathered.summary(removed);
}

/** Writes the summary of the log with this name; it is there whole or not at all. Throws the system's errors and `UnsafeFolderError`. */
export function writeSummary(folder: string, name: string, content: LifecycleSummary): void {
  const path = summaryPath(folder, name);
  ensurePrivateFolder(summariesOf(folder));
  replacePrivateFile(path, `${JSON.stringify(content)}\n`);
}

/**
 * What is left of the session whose log had this name; absent when no log of it was removed. Throws an error with a sentence when it
 * cannot be read: then earlier discards are unknown.
 */
export function readSummary(folder: string, name: string): LifecycleSummary | undefined {
  const path = summaryPath(folder, name);
  if (!existsSync(path)) {
    return undefined;
  }
  const descriptor = openPrivateFile(path, constants.O_RDONLY);
  try {
    return parsedSummary(path, readFileSync(descriptor, 'utf8'));
  } finally {
    closeSync(descriptor);
  }
}

/** Whether there was one to remove. */
export function removeSummary(folder: string, name: string): boolean {
  const path = summaryPath(folder, name);
  const there = existsSync(path);
  rmSync(path, { force: true });
  return there;
}

function summariesOf(folder: string): string {
  return join(folder, SUMMARIES);
}

function summaryPath(folder: string, name: string): string {
  return join(summariesOf(folder), name + SUMMARY_SUFFIX);
}

function parsedSummary(path: string, content: string): LifecycleSummary {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    value = undefined;
  }
  const version = isJsonObject(value) ? value['version'] : undefined;
  const fault =
    version === SUMMARY_VERSION ? summary.fault(value, 'content') : 'it is of no version that is known here';
  if (fault) {
    throw new Error(`The summary ${path} cannot be used, so earlier discards of its session are unknown: ${fault}.`);
  }
  return value as LifecycleSummary;
}

/** Gathers line by line what a summary needs, and forgets the rest. */
class Gathered {
  readonly #events: LogEvent[];
  readonly #header: unknown[] = [];
  /** A log that goes on after an earlier one begins with copies of what was left of it. */
  readonly #earlier: ReadonlySet<string>;
  /** How many events are of earlier logs. */
  readonly #begun: number;
  #requests: number;
  #rest: Buffer[] = [];
  #isOver = false;

  constructor(earlier: LifecycleSummary | undefined) {
    this.#events = [...(earlier?.events ?? [])];
    this.#earlier = new Set(this.#events.map(factOf));
    this.#begun = this.#events.length;
    this.#requests = earlier?.requests ?? 0;
  }

  write(piece: Uint8Array): void {
    if (this.#isOver) {
      return;
    }
    const end = piece.lastIndexOf(0x0a) + 1;
    if (end > 0) {
      const text = Buffer.concat([...this.#rest, piece.subarray(0, end)]).toString('utf8');
      this.#rest = [];
      for (let start = 0, stop = text.indexOf('\n'); stop !== -1; start = stop + 1, stop = text.indexOf('\n', start)) {
        this.#line(text.slice(start, stop));
      }
    }
    // A copy: the buffer is used again.
    this.#rest.push(Buffer.from(piece.subarray(end)));
    if (this.#rest.length > MAX_LINE_PIECES) {
      this.#rest = [];
      this.#isOver = true;
    }
  }

  summary(removed: number): LifecycleSummary {
    const blocks = new Map<string, LifecycleSummary['blocks'][number]>();
    for (const { type, data } of this.#events) {
      const { blockId, source } = isJsonObject(data) ? data : {};
      if (typeof blockId !== 'string' || typeof source !== 'string') {
        continue;
      }
      const known = blocks.get(blockId);
      if (type === 'block/activated' && !known) {
        blocks.set(blockId, { id: blockId, status: 'active', source });
      } else if (type === 'block/discarded' && known) {
        blocks.set(blockId, { ...known, status: 'discarded' });
      }
    }
    return {
      version: SUMMARY_VERSION,
      header: parseLogHeader(this.#header[0]),
      removed,
      requests: this.#requests,
      blocks: [...blocks.values()],
      events: this.#events,
    };
  }

  #line(line: string): void {
    if (this.#header.length === 0) {
      this.#header.push(parsed(line));
      return;
    }
    const value = MAYBE_KEPT.test(line) ? parsed(line) : undefined;
    if (!isJsonObject(value)) {
      return;
    }
    const event = value as unknown as LogEvent;
    const last = this.#events.at(-1);
    if (event.type === 'log/torn' && last?.seq === event.seq && this.#events.length > this.#begun) {
      // What stood there counts for nothing.
      this.#events.pop();
    } else if (event.type === 'request/sealed' && isJsonObject(event.data)) {
      const { requestSequence } = event.data;
      this.#requests = Math.max(this.#requests, Number.isSafeInteger(requestSequence) ? Number(requestSequence) : 0);
    } else if (KEPT.has(event.type) && isReadable(event)) {
      const kept = withoutContent(event, sha256);
      if (!this.#earlier.has(factOf(kept))) {
        this.#events.push(kept);
      }
    }
  }
}

/** A log of the session that goes on begins with what is kept: what no reader takes must not be in it. */
function isReadable(event: LogEvent): boolean {
  try {
    readEvent(event, Number.isSafeInteger(event.seq) ? event.seq : -1);
    return true;
  } catch (error) {
    if (error instanceof CorruptLogError) {
      return false;
    }
    throw error;
  }
}

/** What happened and when; its place differs from log to log. */
function factOf({ type, time, data }: LogEvent): string {
  return JSON.stringify([type, time, isJsonObject(data) ? { ...data, ordinal: 0 } : data]);
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
