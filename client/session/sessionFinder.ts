import { existsSync } from 'node:fs';
import type { Announcements, FoundAnnouncement, RefusedAnnouncement } from '../../local/announcements.ts';
import { isStale } from '../../local/staleAnnouncements.ts';
import { watchAnnouncements } from '../../local/watchAnnouncements.ts';
import type { Timers } from '../../local/wire/timers.ts';

export interface FinderOptions {
  /** Where sessions announce themselves. */
  readonly folders: readonly string[];
  /** What is found, or refused, has changed. Not called from within a method. */
  readonly changed: () => void;
  readonly timers?: Timers;
}

/** Knows the sessions that are announced and whose processes live, or may live. */
export class SessionFinder {
  readonly #changed: () => void;
  readonly #announced = new Map<string, Announcements>();
  readonly #watches: readonly (() => void)[];
  #found: readonly FoundAnnouncement[] = [];
  /** Counts the looks: what an earlier one finds late is dropped. */
  #look = 0;
  #disposed = false;

  constructor({ folders, changed, timers }: FinderOptions) {
    this.#changed = changed;
    this.#watches = folders.map(folder =>
      watchAnnouncements(
        folder,
        announcements => {
          this.#announced.set(folder, announcements);
          void this.refresh();
        },
        timers,
      ),
    );
  }

  /** Newest first, one of each session. */
  get found(): readonly FoundAnnouncement[] {
    return this.#found;
  }

  /** What was not read, with a sentence each. */
  get refused(): readonly RefusedAnnouncement[] {
    return [...this.#announced.values()].flatMap(({ refused }) => refused);
  }

  /** Looks again which of the announced sessions live; no change in a folder says so. Never rejects. */
  async refresh(): Promise<void> {
    this.#look += 1;
    const look = this.#look;
    const all = [...this.#announced.values()].flatMap(({ found }) => found);
    const stale = await Promise.all(all.map(isStale));
    if (this.#disposed || look !== this.#look) {
      return;
    }
    const live = all.filter((_, index) => !stale[index]).sort((one, other) => other.started - one.started);
    const newest = new Map<string, FoundAnnouncement>();
    for (const announced of live) {
      if (!newest.has(announced.session)) {
        newest.set(announced.session, announced);
      }
    }
    this.#found = [...newest.values()];
    this.#changed();
  }

  dispose(): void {
    this.#disposed = true;
    for (const end of this.#watches) {
      end();
    }
    this.#announced.clear();
    this.#found = [];
  }
}

/** Whether a session that does not answer is over: its announcement was taken away, or its process is dead. */
export async function isGone(announced: FoundAnnouncement): Promise<boolean> {
  return !existsSync(announced.file) || (await isStale(announced));
}
