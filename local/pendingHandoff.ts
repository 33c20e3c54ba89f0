import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { count, maybe, type Of, record, text, whole } from '../protocol/shape.ts';
import { checkPrivateFolder, ensurePrivateFolder, openPrivateFile } from './privateFolder.ts';
import { replacePrivateFile } from './replacePrivateFile.ts';

const VERSION = 1;

const SUFFIX = '.json';

/** No handoff file that a session writes comes near to it; in UTF-16 code units. */
const LONGEST_TEXT = 16 * 1024 * 1024;

/** What such a text may take as JSON, in which a character may have six bytes. */
const MOST_BYTES = 6 * LONGEST_TEXT + 100_000;

/** More than so many are not looked at when all of them are listed. */
const MOST_LISTED = 200;

const pending = record({
  version: count,
  /** The agent's working folder, without links. */
  cwd: text,
  /** Absent where a session of any agent may take it. */
  agent: maybe(text),
  /** The handoff file that the person named. */
  file: text,
  /** Unix milliseconds. */
  put: whole,
  /** The handoff file's text. */
  text,
});

/** A saved session that waits for a new one that goes on from it. */
export type PendingHandoff = Omit<Of<typeof pending>, 'version'>;

/** For whom a handoff waits. */
export interface HandoffPlace {
  /** `Folders.handoffs`. */
  readonly folder: string;
  readonly cwd: string;
  readonly agent?: string;
}

/** A handoff that waits cannot be used; the sentence says what to do. */
export class PendingHandoffError extends Error {
  override readonly name = 'PendingHandoffError';

  constructor(file: string, reason: string) {
    super(
      `The handoff that waits in ${file} was not taken: ${reason}. Remove that file, and run handoff resume again.`,
    );
  }
}

/**
 * Lets a handoff wait for the next new session in a working folder, of one agent or of any. One that waits there already for the
 * same is replaced; whether there was one is the result. Throws `UnsafeFolderError`, the system's errors, and `RangeError` for a
 * text that is too large.
 */
export function putPendingHandoff(
  place: HandoffPlace,
  { text: handoff, file, now }: { readonly text: string; readonly file: string; readonly now: number },
): boolean {
  if (handoff.length > LONGEST_TEXT) {
    throw new RangeError('The handoff file has more than 16 MiB. Save a smaller session.');
  }
  const { folder, agent } = place;
  ensurePrivateFolder(folder);
  const path = pathOf(place);
  const replaced = existsAs(path);
  const content = {
    version: VERSION,
    cwd: realFolder(place.cwd),
    ...(agent !== undefined && { agent }),
    file,
    put: now,
    text: handoff,
  } satisfies Of<typeof pending>;
  replacePrivateFile(path, JSON.stringify(content));
  return replaced;
}

/**
 * Takes the handoff that waits for a new session of an agent in a working folder: the one for this agent, else the one for any.
 * Of two sessions that begin at once only one gets it. Absent where none waits. Throws `UnsafeFolderError` for a folder or a file
 * that others own or can read, `PendingHandoffError` for one that cannot be read, and the system's errors; then it still waits.
 */
export function takePendingHandoff(place: HandoffPlace): PendingHandoff | undefined {
  const { agent, ...anyone } = place;
  const own = agent === undefined ? undefined : take({ ...anyone, agent });
  return own ?? take(anyone);
}

function take(place: HandoffPlace): PendingHandoff | undefined {
  const path = pathOf(place);
  if (!existsAs(path)) {
    return undefined;
  }
  checkPrivateFolder(place.folder);
  const taken = `${path}.${randomBytes(4).toString('hex')}.taken`;
  try {
    // What cannot be used is left where the sentence says that it is.
    readPending(path);
    renameSync(path, taken);
  } catch (error) {
    // Another session was faster.
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
  try {
    return readPending(taken);
  } finally {
    rmSync(taken, { force: true });
  }
}

/** Lets a handoff that was taken wait again, unless another one waits there by now. Throws as `putPendingHandoff`. */
export function putBackHandoff(folder: string, { cwd, agent, text: handoff, file, put }: PendingHandoff): void {
  const place = { folder, cwd, ...(agent !== undefined && { agent }) };
  if (!existsAs(pathOf(place))) {
    putPendingHandoff(place, { text: handoff, file, now: put });
  }
}

/**
 * Takes back what waits in a working folder for this agent, or without one everything that waits there; gives what waited. Throws as
 * `takePendingHandoff`.
 */
export function cancelPendingHandoffs({ folder, cwd, agent }: HandoffPlace): readonly PendingHandoff[] {
  const real = realFolder(cwd);
  const waiting = pendingHandoffs(folder).found.filter(
    one => one.cwd === real && (agent === undefined || one.agent === agent),
  );
  return waiting.filter(one => {
    const path = pathOf({ folder, cwd: real, ...(one.agent !== undefined && { agent: one.agent }) });
    const isThere = existsAs(path);
    rmSync(path, { force: true });
    return isThere;
  });
}

/**
 * All handoffs that wait, in any working folder, and a sentence for each file that cannot be used. Throws `UnsafeFolderError` where
 * the folder is not ours alone; there are none where it is missing.
 */
export function pendingHandoffs(folder: string): {
  readonly found: readonly PendingHandoff[];
  readonly refused: readonly string[];
} {
  if (!existsAs(folder)) {
    return { found: [], refused: [] };
  }
  checkPrivateFolder(folder);
  const found: PendingHandoff[] = [];
  const refused: string[] = [];
  const names = readdirSync(folder).filter(name => name.endsWith(SUFFIX));
  for (const name of names.toSorted().slice(0, MOST_LISTED)) {
    try {
      found.push(readPending(join(folder, name)));
    } catch (error) {
      // A session may just have taken it.
      if (!isMissing(error)) {
        refused.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  return { found, refused };
}

/** What a person calls a folder never becomes a part of a path. */
function pathOf({ folder, cwd, agent }: HandoffPlace): string {
  const key = agent === undefined ? realFolder(cwd) : `${realFolder(cwd)}\0${agent}`;
  return join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32) + SUFFIX);
}

/** The command line and the agent may come to the same folder by different links. */
function realFolder(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch {
    return resolve(cwd);
  }
}

function readPending(path: string): PendingHandoff {
  const value = contentOf(path);
  const fault = pending.fault(value, 'content');
  if (fault !== undefined) {
    throw new PendingHandoffError(path, fault);
  }
  const { version, ...content } = value as Of<typeof pending>;
  if (version !== VERSION) {
    throw new PendingHandoffError(path, `its version is ${version}, and this program reads ${VERSION}`);
  }
  return content;
}

function contentOf(path: string): unknown {
  const descriptor = openPrivateFile(path, constants.O_RDONLY);
  try {
    if (fstatSync(descriptor).size > MOST_BYTES) {
      throw new PendingHandoffError(path, 'it is too large');
    }
    return JSON.parse(readFileSync(descriptor, 'utf8'));
  } catch (error) {
    throw error instanceof SyntaxError ? new PendingHandoffError(path, 'it is no JSON') : error;
  } finally {
    closeSync(descriptor);
  }
}

/** Also what others put there is there. */
function existsAs(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
