import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UnsafeFolderError } from './unsafeFolderError.ts';

/** Read, write or search by the group or by others. */
const NOT_PRIVATE = 0o077;
const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/** What `doctor` says where nothing can be checked. */
export const WINDOWS_NOTE =
  "On Windows the access rights of your user profile protect this folder; this program doesn't check them.";

/**
 * Makes a folder that only this user can enter, with its parents, and checks one that is there. Throws
 * `UnsafeFolderError` when others own it, can read it, can put another one in its place, or when it is a link. Windows has no such modes: there the
 * access rights of the user's profile protect it, and only links are refused. Errors of the system are thrown as they are.
 */
export function ensurePrivateFolder(folder: string): void {
  missingParents(folder).forEach(makeFolder);
  makeFolder(folder);
  checkPrivateFolder(folder);
}

/**
 * From the outermost one on. Node's `recursive` never ends where a system makes no folder and says that a parent is missing, as
 * in /proc and below what an automounter keeps.
 */
function missingParents(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let parent = dirname(folder); !existsSync(parent) && parent !== dirname(parent); parent = dirname(parent)) {
    missing.unshift(parent);
  }
  return missing;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
}

/** The checks of `ensurePrivateFolder`. Throws the system's error where there is no such folder. */
export function checkPrivateFolder(folder: string): void {
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) {
    throw new UnsafeFolderError(
      folder,
      `The folder ${folder} is a symbolic link, and what it points to could be changed by others.`,
      'Remove the link, or set CONTEXT_LIFECYCLE_HOME to the folder that it points to.',
    );
  }
  if (!stats.isDirectory()) {
    throw new UnsafeFolderError(folder, `${folder} is no folder.`, 'Move it away: a folder is made in its place.');
  }
  checkOwnerAndMode(folder, stats, 'folder', 'chmod 700');
  checkParent(folder);
}

/**
 * Opens a file of ours and gives its descriptor; `flags` as in `open(2)`. A file that it makes has mode 0600. A link is
 * not followed, and a pipe or a device is not waited for. Throws `UnsafeFolderError` for what others own or can read,
 * for a link and for what is no file; the system's error for the rest.
 */
export function openPrivateFile(file: string, flags: number): number {
  let descriptor: number;
  try {
    // O_NOFOLLOW and O_NONBLOCK do not exist on Windows.
    descriptor = openSync(file, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ELOOP is what Linux and macOS say of a link, EMLINK and EFTYPE what BSDs say; ENXIO is a pipe or a socket.
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'EFTYPE') {
      throw new UnsafeFolderError(file, `${file} is a symbolic link, and it isn't followed.`, 'Remove the link.');
    }
    if (code === 'ENXIO' || code === 'EISDIR') {
      throw noFile(file);
    }
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw noFile(file);
    }
    checkOwnerAndMode(file, stats, 'file', 'chmod 600');
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return descriptor;
}

function noFile(file: string): UnsafeFolderError {
  return new UnsafeFolderError(file, `${file} is no ordinary file.`, 'Move it away.');
}

function checkOwnerAndMode(path: string, stats: Stats, kind: 'file' | 'folder', mend: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) {
    return;
  }
  if (stats.uid !== uid) {
    throw new UnsafeFolderError(
      path,
      `The ${kind} ${path} belongs to another user (number ${stats.uid}; you are ${uid}).`,
      'Move it away, or set CONTEXT_LIFECYCLE_HOME to a folder of your own.',
    );
  }
  if ((stats.mode & NOT_PRIVATE) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
    throw new UnsafeFolderError(
      path,
      `Other users have access to the ${kind} ${path} (mode ${mode}).`,
      `Run "${mend} ${path}".`,
    );
  }
}

/** Who may write into the parent could put a folder of theirs in this one's place, unless the parent is sticky, as /tmp is. */
function checkParent(folder: string): void {
  const parent = dirname(folder);
  const { mode } = statSync(parent);
  if (process.getuid !== undefined && (mode & OTHERS_MAY_WRITE) !== 0 && (mode & STICKY) === 0) {
    throw new UnsafeFolderError(
      folder,
      `Any user may change what is in ${parent}, and so replace the folder ${folder}.`,
      `Run "chmod o-w ${parent}".`,
    );
  }
}
