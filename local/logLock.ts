import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { count, maybe, type Of, ordinal, record, text } from '../protocol/shape.ts';
import { bootId, isSameBoot } from './bootId.ts';
import { LogInUseError } from './logErrors.ts';
import { processAlive, processNamespace, processStart } from './processAlive.ts';

/** Who holds a lock; it stands in the lock file. */
const holder = record({
  pid: ordinal,
  bootId: text,
  host: text,
  /** Tells the process from a later one with the same number; absent where the system does not say. */
  processStart: maybe(text),
  /** Absent where the system has only one set of processes. */
  namespace: maybe(text),
  /** Unix milliseconds; for a person. */
  since: count,
});

type Holder = Of<typeof holder>;

/** A lock that this process holds. */
export interface LogLock {
  release(): void;
}

/** Whoever is on another machine or in another container cannot be asked; a log that was left alone so long has no writer. */
const FOREIGN_IDLE_MS = 24 * 3_600_000;
/** A lock that cannot be read is one that is just being made, or what a crash left. */
const UNREADABLE_MS = 10_000;
const TRIES = 20;
const LOCK_NAME = /\.lock\.[1-9]\d{0,14}$/;

/**
 * Makes this process the only writer of a log, by a file `<log>.lock.<n>`. A lock of a process that is gone is taken over
 * by making the next number, which only one can do, and never by removing it first: two that find the same dead lock
 * cannot both win. Throws `LogInUseError` when somebody else writes the log; errors of the system are thrown as they are.
 */
export function lockLog(log: string): LogLock {
  const mine = writeHolder(log);
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const highest = locksOf(log).at(-1) ?? 0;
      const living = highest > 0 ? livingHolder(log, highest) : undefined;
      if (living) {
        throw new LogInUseError(log, living);
      }
      const number = highest + 1;
      const file = lockFile(log, number);
      if (claim(mine, file) && holdsAlone(log, number)) {
        removeBelow(log, number);
        return { release: () => rmSync(file, { force: true }) };
      }
      removeIfMine(file, mine);
    }
    throw new LogInUseError(log, 'other processes keep opening it');
  } finally {
    rmSync(mine.file, { force: true });
  }
}

/**
 * Whether nobody else holds a lock: one that was released meanwhile may have left room for a number below one that is held,
 * and somebody may have begun anew from the first number.
 */
function holdsAlone(log: string, number: number): boolean {
  const others = locksOf(log).filter(other => other !== number);
  return others.every(other => other < number && livingHolder(log, other) === undefined);
}

/**
 * Who writes a log now, as a part of a sentence; absent when nobody does. `names` are those of its folder, where the caller
 * has read them.
 */
export function writerOf(log: string, names?: readonly string[]): string | undefined {
  const highest = locksOf(log, names).at(-1);
  return highest === undefined ? undefined : livingHolder(log, highest);
}

/** Those of a folder's file names that are locks. */
export function lockNames(names: readonly string[]): readonly string[] {
  return names.filter(name => LOCK_NAME.test(name));
}

interface Claim {
  readonly file: string;
  readonly content: string;
}

/** A file of its own that holds what the lock will, so that no lock is ever seen half written. */
function writeHolder(log: string): Claim {
  const start = processStart(process.pid);
  const namespace = processNamespace();
  const value: Holder = {
    pid: process.pid,
    bootId: bootId(),
    host: hostname(),
    since: Date.now(),
    ...(start === undefined ? {} : { processStart: start }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const mark = randomBytes(8).toString('hex');
  const content = JSON.stringify({ ...value, mark });
  const file = `${log}.lock-${mark}`;
  writeNew(file, content);
  return { file, content };
}

/** Whether the lock is ours now; false when another process was faster. */
function claim(mine: Claim, file: string): boolean {
  try {
    linkSync(mine.file, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      return false;
    }
    // Some file systems (FAT, some network drives) know no second names.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS') {
      return writeNew(file, mine.content);
    }
    throw error;
  }
}

function writeNew(file: string, content: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
  try {
    writeSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function removeIfMine(file: string, mine: Claim): void {
  if (contentOf(file) === mine.content) {
    rmSync(file, { force: true });
  }
}

function removeBelow(log: string, number: number): void {
  for (const lower of locksOf(log).filter(other => other < number)) {
    rmSync(lockFile(log, lower), { force: true });
  }
}

function lockFile(log: string, number: number): string {
  return `${log}.lock.${number}`;
}

/** Numbers of the locks that are there, in ascending order. */
function locksOf(log: string, names: readonly string[] = readdirSync(dirname(log))): readonly number[] {
  const prefix = `${basename(log)}.lock.`;
  return names
    .filter(name => name.startsWith(prefix) && LOCK_NAME.test(name))
    .map(name => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}

/** Who holds a lock, when that process lives or may live. */
function livingHolder(log: string, number: number): string | undefined {
  const file = lockFile(log, number);
  const content = contentOf(file);
  const held = content === undefined ? undefined : parsed(content);
  if (!held) {
    return idleFor(file) < UNREADABLE_MS ? 'another process is opening it' : undefined;
  }
  const rebooted = held.host === hostname() && !isSameBoot(held.bootId, bootId());
  if (rebooted) {
    return undefined;
  }
  if (held.host !== hostname() || held.namespace !== processNamespace()) {
    const where = `a process of another machine or container (${held.host}) writes it`;
    const mend = `when that one is gone, remove ${file}`;
    return idleFor(log) < FOREIGN_IDLE_MS ? `${where}; ${mend}` : undefined;
  }
  const lives = processAlive(held.pid) && held.processStart === processStart(held.pid);
  return lives ? `process ${held.pid} writes it` : undefined;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Released meanwhile, or not ours to read: what is there says nothing.
    return undefined;
  }
}

function parsed(content: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return holder.fault(value, 'lock') === undefined ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds since a file was last written; endless when there is none. */
function idleFor(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
