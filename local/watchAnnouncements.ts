import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { type Announcements, listAnnouncements } from './announcements.ts';
import { machineTimers, type Timers } from './wire/timers.ts';

/** Several changes at once, such as a file written and renamed, are one. */
const GATHER_MS = 50;
/** How soon to try again where the system cannot watch. */
const AGAIN_MS = 2_000;

/**
 * Tells the listener what is announced in a folder: at once, and again after each change. The folder need not exist: what is there
 * of its path is watched until it does. Gives the function that ends it. Where the system has no watches left, it looks every two
 * seconds.
 */
export function watchAnnouncements(
  folder: string,
  listener: (announcements: Announcements) => void,
  timers: Timers = machineTimers({ background: true }),
): () => void {
  let ended = false;
  let watched: (Place & { readonly watcher: FSWatcher }) | undefined;
  let cancelTimer: (() => void) | undefined;
  let last: string | undefined;

  const look = () => {
    cancelTimer = undefined;
    rearm();
    const announcements = listAnnouncements(folder);
    const seen = JSON.stringify(announcements);
    if (seen !== last) {
      last = seen;
      listener(announcements);
    }
  };
  const lookSoon = (milliseconds: number) => {
    if (!ended) {
      cancelTimer ??= timers.after(milliseconds, look);
    }
  };
  const unwatch = () => {
    watched?.watcher.close();
    watched = undefined;
  };
  const rearm = () => {
    // Again after each new watch: the folder may have been made just before it.
    for (let there = nearestFolder(folder); !isSame(watched, there); there = nearestFolder(folder)) {
      unwatch();
      try {
        const watcher = watch(there.path, { persistent: false }, () => lookSoon(GATHER_MS));
        watcher.on('error', () => {
          unwatch();
          lookSoon(AGAIN_MS);
        });
        watched = { ...there, watcher };
      } catch {
        // No watches left, or the folder went away meanwhile.
        lookSoon(AGAIN_MS);
        return;
      }
    }
  };

  look();
  return () => {
    ended = true;
    cancelTimer?.();
    unwatch();
  };
}

interface Place {
  readonly path: string;
  /** Differs when the folder was made anew. */
  readonly inode: number;
}

function isSame(one: Place | undefined, other: Place): boolean {
  return one?.path === other.path && one.inode === other.inode;
}

/** The folder itself or the nearest one above it. */
function nearestFolder(folder: string): Place {
  for (let path = folder; ; path = dirname(path)) {
    const inode = inodeOf(path);
    if (inode !== undefined || path === dirname(path)) {
      return { path, inode: inode ?? 0 };
    }
  }
}

function inodeOf(path: string): number | undefined {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? stats.ino : undefined;
  } catch {
    return undefined;
  }
}
