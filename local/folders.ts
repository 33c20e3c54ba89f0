import { createHash } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { UnsafeFolderError } from './unsafeFolderError.ts';

/** Where this program keeps what it writes, and where it looks. Nothing here has been made or checked. */
export interface Folders {
  /** Announcements and sockets of running sessions. */
  readonly run: string;
  /** `run` first, then where sessions that were started in another environment announce themselves. */
  readonly runFolders: readonly string[];
  /** Session logs. */
  readonly sessions: string;
  /** Saved sessions that wait for one that goes on from them. */
  readonly handoffs: string;
  readonly configFile: string;
  /** For a person: settings that could not be followed, and what was done instead. */
  readonly notices: readonly string[];
}

/** What decides where the folders lie. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Empty where the system knows none, as in a container whose user has no entry. */
  readonly home: string;
  /** The user's number; absent on Windows, where temporary folders are the user's own. */
  readonly uid?: number;
}

/** UTF-8 bytes that a socket's file name in `run` may have. */
export const SOCKET_NAME_BYTES = 40;

/** Bytes of a socket's whole path, without the zero at its end: `sun_path` of Linux has 108, that of macOS and the BSDs 104. */
const SOCKET_PATH_BYTES = { linux: 107, other: 103 } as const;

const NAME = 'context-lifecycle';

/**
 * CONTEXT_LIFECYCLE_HOME is one folder for everything. Without it the XDG variables count where they are set, else what is
 * usual on the platform. Throws `UnsafeFolderError` for a CONTEXT_LIFECYCLE_HOME that is no whole path, for each program
 * would take it for another folder; and where the home folder is needed, but is none.
 */
export function folders(machine: Machine = thisMachine()): Folders {
  const home = machine.env['CONTEXT_LIFECYCLE_HOME'];
  if (!home) {
    return usersOwnFolders(machine);
  }
  if (!paths(machine).isAbsolute(home)) {
    throw new UnsafeFolderError(
      home,
      'CONTEXT_LIFECYCLE_HOME is no whole path.',
      'Set it to a path that begins at the root.',
    );
  }
  return foldersIn(home, machine);
}

/** Everything in one folder, as CONTEXT_LIFECYCLE_HOME and `openSession({folder})` ask. `home` is a whole path. */
export function foldersIn(home: string, machine: Machine = thisMachine()): Folders {
  const { join } = paths(machine);
  const { run, notices } = placeForSockets(join(home, 'run'), machine);
  return {
    run,
    runFolders: [run],
    sessions: join(home, 'sessions'),
    handoffs: join(home, 'handoffs'),
    configFile: join(home, 'config.json'),
    notices,
  };
}

function thisMachine(): Machine {
  const { env, platform } = process;
  const uid = process.getuid?.();
  return { env, platform, home: homeFolder(), ...(uid === undefined ? {} : { uid }) };
}

/** The user's home folder; empty where the system knows none. */
export function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}

function usersOwnFolders(machine: Machine): Folders {
  const { join } = paths(machine);
  const { env, platform, home } = machine;
  const library = join(home, 'Library', 'Application Support');
  const notices: string[] = [];
  const base = (variable: string, usual: string): string => {
    const value = env[variable];
    if (value && !paths(machine).isAbsolute(value)) {
      // The XDG specification: a relative path is invalid and counts as not set.
      notices.push(`${variable} is no whole path, so it counts as not set.`);
    }
    return value && paths(machine).isAbsolute(value) ? value : usual;
  };
  const usual =
    platform === 'win32'
      ? {
          state: env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'),
          config: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
        }
      : platform === 'darwin'
        ? { state: library, config: library }
        : { state: join(home, '.local', 'state'), config: join(home, '.config') };
  const state = join(base('XDG_STATE_HOME', usual.state), NAME);
  const configFile = join(base('XDG_CONFIG_HOME', usual.config), NAME, 'config.json');
  if (![state, configFile].every(place => paths(machine).isAbsolute(place))) {
    throw new UnsafeFolderError(
      home,
      home === '' ? 'This system knows no home folder of yours.' : `Your home folder, ${home}, is no whole path.`,
      'Set CONTEXT_LIFECYCLE_HOME to a folder of your own.',
    );
  }
  // XDG_RUNTIME_DIR is often missing: on macOS and Windows, in containers, after `su` and in cron jobs.
  const fallback = join(state, 'run');
  const runtime = base('XDG_RUNTIME_DIR', '');
  const wanted = runtime ? join(runtime, NAME) : fallback;
  const place = placeForSockets(wanted, machine);
  const elsewhere = runtime || platform !== 'linux' ? fallback : join('/run/user', String(machine.uid ?? 0), NAME);
  const runFolders = [place.run, placeForSockets(elsewhere, machine).run];
  return {
    run: place.run,
    runFolders: [...new Set(runFolders)],
    sessions: join(state, 'sessions'),
    handoffs: join(state, 'handoffs'),
    configFile,
    notices: [...notices, ...place.notices],
  };
}

/** The folder itself, or one with a short path where a socket's path would be too long for the system. */
function placeForSockets(wanted: string, machine: Machine): Pick<Folders, 'run' | 'notices'> {
  // On Windows it holds announcements only: pipes have a place of their own.
  const bytes = machine.platform === 'linux' ? SOCKET_PATH_BYTES.linux : SOCKET_PATH_BYTES.other;
  if (machine.platform === 'win32' || Buffer.byteLength(wanted) + 1 + SOCKET_NAME_BYTES <= bytes) {
    return { run: wanted, notices: [] };
  }
  // Not TMPDIR: the editor and an agent's shell may have different ones, and must find the same folder.
  const mark = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  const run = path.posix.join('/tmp', `${NAME}-${machine.uid ?? 0}-${mark}`);
  return { run, notices: [`${wanted} is too long a path for sockets, so sessions announce themselves in ${run}.`] };
}

function paths(machine: Machine): path.PlatformPath {
  return machine.platform === 'win32' ? path.win32 : path.posix;
}
