import { closeSync, constants, lstatSync, readdirSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJsonObject } from '../protocol/request/json.ts';
import { type Announcement, announcement as shape, WIRE_VERSION } from '../protocol/wire/messages.ts';
import { checkPrivateFolder, openPrivateFile } from './privateFolder.ts';
import { UnsafeFolderError } from './unsafeFolderError.ts';
import { SocketPathError, socketAddress } from './wire/socketPath.ts';

/** An announcement with where it was found. */
export interface FoundAnnouncement extends Announcement {
  /** Whole path. */
  readonly file: string;
  /** Where to connect: a socket's whole path, or a pipe's name. */
  readonly address: string;
}

/** A file or folder that was not read, and why. */
export interface RefusedAnnouncement {
  /** Whole path. */
  readonly file: string;
  /** For a person: what is wrong and what to do. */
  readonly sentence: string;
}

export interface Announcements {
  /** Newest first. Whether anybody listens is known only to who connects. */
  readonly found: readonly FoundAnnouncement[];
  /** By name. */
  readonly refused: readonly RefusedAnnouncement[];
}

/** An announcement is some hundred bytes; only its cwd and the host's names can be long. */
const LARGEST_FILE = 16_384;
const MOST_FILES = 1_000;
const FILE_NAME = /^[0-9a-f]{16}\.json$/;

/**
 * Writes an announcement into a private folder, so that it is there whole or not at all, readable by nobody else. `name` is 16
 * hex digits. Gives the file's whole path. Throws the system's errors.
 */
export function writeAnnouncement(folder: string, name: string, announced: Announcement): string {
  const file = join(folder, `${name}.json`);
  const unfinished = join(folder, `${name}.new`);
  writeFileSync(unfinished, `${JSON.stringify(announced)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, file);
  return file;
}

/** Reads the announcements in a folder; what is foreign, readable by others, linked or broken is refused. Never throws. */
export function listAnnouncements(folder: string): Announcements {
  const found: FoundAnnouncement[] = [];
  const refused: RefusedAnnouncement[] = [];
  let files: readonly string[];
  try {
    checkPrivateFolder(folder);
    files = readdirSync(folder).filter(file => FILE_NAME.test(file));
  } catch (error) {
    return isMissing(error) ? { found, refused } : { found, refused: [{ file: folder, sentence: sentenceOf(error) }] };
  }
  if (files.length > MOST_FILES) {
    const sentence = `There are ${files.length} announcements in ${folder}; ${MOST_FILES} are read. Remove the old ones.`;
    refused.push({ file: folder, sentence });
  }
  for (const file of files.slice(0, MOST_FILES).map(name => join(folder, name))) {
    try {
      found.push(readAnnouncement(folder, file));
    } catch (error) {
      if (!isMissing(error)) {
        refused.push({ file, sentence: sentenceOf(error) });
      }
    }
  }
  return {
    found: found.sort((one, other) => other.started - one.started || (one.file < other.file ? -1 : 1)),
    refused: refused.sort((one, other) => (one.file < other.file ? -1 : 1)),
  };
}

/** Throws `UnsafeFolderError`, `AnnouncementError` or the system's error. */
function readAnnouncement(folder: string, file: string): FoundAnnouncement {
  const value = parse(file, readSmallFile(file));
  const fault = shape.fault(value, 'content');
  if (fault !== undefined) {
    throw new AnnouncementError(file, versionFault(value) ?? fault);
  }
  const announced = value as Announcement;
  let address: string;
  try {
    address = socketAddress(folder, file, announced.socket);
  } catch (error) {
    throw error instanceof SocketPathError ? new AnnouncementError(file, error.message) : error;
  }
  checkSocket(address, file);
  return { ...announced, file, address };
}

/** A socket that is a link, or none, could belong to anybody. */
function checkSocket(address: string, file: string): void {
  if (process.platform === 'win32') {
    return;
  }
  const stats = lstatSync(address, { throwIfNoEntry: false });
  if (stats === undefined) {
    return;
  }
  if (stats.isSymbolicLink() || !stats.isSocket()) {
    throw new AnnouncementError(file, `${basename(address)} is ${stats.isSymbolicLink() ? 'a link' : 'no socket'}`);
  }
  if (stats.uid !== process.getuid?.()) {
    throw new AnnouncementError(file, `${basename(address)} belongs to another user`);
  }
}

/** Of another version not even the members are known; one that has them all is found, and who connects says what is wrong. */
function versionFault(value: unknown): string | undefined {
  const version = isJsonObject(value) ? value['wireVersion'] : undefined;
  return typeof version === 'number' && version !== WIRE_VERSION
    ? `its version is ${version}, and this program reads version ${WIRE_VERSION}`
    : undefined;
}

class AnnouncementError extends Error {
  constructor(file: string, fault: string) {
    super(`The announcement ${file} isn't used: ${fault}. Remove it if no session is running.`);
  }
}

function readSmallFile(file: string): string {
  const descriptor = openPrivateFile(file, constants.O_RDONLY);
  try {
    const bytes = Buffer.alloc(LARGEST_FILE + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > LARGEST_FILE) {
      throw new AnnouncementError(file, `it is larger than ${LARGEST_FILE} bytes`);
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AnnouncementError(file, 'it is no JSON');
  }
}

/** Removes an announcement and its socket; one that is gone already is fine. */
export function removeAnnouncement({ file, address }: { readonly file: string; readonly address: string }): void {
  rmSync(file, { force: true });
  if (process.platform !== 'win32') {
    rmSync(address, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function sentenceOf(error: unknown): string {
  if (error instanceof UnsafeFolderError || error instanceof AnnouncementError) {
    return error.message;
  }
  return `It can't be read: ${(error as Error).message}.`;
}
