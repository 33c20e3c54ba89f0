import type { FoundAnnouncement } from '../../local/announcements.ts';
import type { AttachedOptions } from './attachedOptions.ts';
import { AttachedSession } from './attachedSession.ts';
import { ChangeListeners } from './changeListeners.ts';
import type { PanelSession, PanelSessions } from './sessionModel.ts';
import { withSubAgents } from './subAgents.ts';
import { WorkspaceFolders } from './workspaceFolders.ts';

/** What a window remembers when it is reloaded. */
export interface Remembered {
  /** Ids of sessions that a person has attached. */
  readonly attached: readonly string[];
  /** Key of the session that was chosen last. */
  readonly chosen?: string;
}

export interface RegistryOptions extends Pick<AttachedOptions, 'connect' | 'isGone' | 'findLog' | 'now' | 'refused'> {
  readonly events: AttachedOptions['events'];
  /** Whole paths of the workspace's folders, as they are now. */
  readonly workspaceFolders: () => readonly string[];
  /** Whether sessions of the workspace are attached without being asked for, as it is now. */
  readonly autoAttach: () => boolean;
  readonly remembered: Remembered;
  readonly remember: (remembered: Remembered) => void;
  /** What a listener throws. */
  readonly failed: (error: unknown) => void;
}

/** More are attached only when a person asks: an agent may start a hundred others. */
const MOST_BY_ITSELF = 8;
/** Ended sessions that are kept for their last state; older ones go. */
const KEPT_ENDED = 5;
const MOST_REMEMBERED = 20;

/** The sessions of a window: attaches, keeps, and tells of changes. Knows no editor. */
export class SessionRegistry implements PanelSessions {
  readonly #options: RegistryOptions;
  readonly #listeners: ChangeListeners;
  /** By key. */
  readonly #attached = new Map<string, AttachedSession>();
  readonly #past = new Map<string, PanelSession>();
  readonly #workspace: WorkspaceFolders;
  #all: readonly PanelSession[] | undefined;
  #found: readonly FoundAnnouncement[] = [];
  /** Processes whose sessions were asked for, wherever they work. */
  readonly #wantedProcesses = new Set<number>();
  /** Ids of sessions that were disconnected here: they begin again only when a person asks. */
  readonly #unwanted = new Set<string>();
  /** Files of announcements whose sessions have ended, or were refused: each is tried once. */
  #done = new Set<string>();
  #wanted: readonly string[];
  #chosen: string | undefined;
  #isNew = true;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#listeners = new ChangeListeners(options.failed);
    this.#workspace = new WorkspaceFolders(options.workspaceFolders);
    this.#wanted = options.remembered.attached;
    this.#chosen = options.remembered.chosen;
  }

  get all(): readonly PanelSession[] {
    const rank = (session: PanelSession): number =>
      (this.#workspace.hold(session.header.cwd) ? 0 : 2) + (isLive(session) ? 0 : 1);
    this.#all ??= withSubAgents(
      [...this.#attached.values(), ...this.#past.values()]
        .map(session => ({ session, place: rank(session) }))
        .sort((one, other) => one.place - other.place || other.session.header.created - one.session.header.created)
        .map(({ session }) => session),
    );
    return this.#all;
  }

  get current(): PanelSession | undefined {
    const { all } = this;
    const chosen = all.find(({ key }) => key === this.#chosen);
    return chosen && chosen.link.kind !== 'ended' ? chosen : (all.find(isConnected) ?? chosen ?? all[0]);
  }

  get isNew(): boolean {
    return this.#isNew;
  }

  /** Announced sessions, those of the workspace first, then the newest. */
  get found(): readonly FoundAnnouncement[] {
    const ours = this.#found.filter(({ cwd }) => this.#workspace.hold(cwd));
    return [...ours, ...this.#found.filter(announced => !ours.includes(announced))];
  }

  onChange(listener: () => void): { dispose(): void } {
    return this.#listeners.add(listener);
  }

  /** Makes a session the one that status bar and editor marks are about. */
  choose(key: string): void {
    this.#chosen = key;
    this.#remember();
    this.#changed();
  }

  /** The session that is attached under this id. */
  withId(id: string): AttachedSession | undefined {
    return this.#attached.get(keyOf(id));
  }

  /** Attaches an announced session, or goes on with one that was, because a person asks, and chooses it. Absent: none is announced. */
  attach(id: string): PanelSession | undefined {
    const announced = this.#found.find(({ session }) => session === id);
    if (announced === undefined) {
      return undefined;
    }
    this.#unwanted.delete(id);
    const session = this.withId(id) ?? this.#add(announced);
    if (session.link.kind === 'ended') {
      session.reconnect(announced);
    } else {
      session.retry();
    }
    this.#wanted = [...this.#wanted.filter(other => other !== id), id].slice(-MOST_REMEMBERED);
    this.choose(session.key);
    return session;
  }

  /** Attaches what this process announces, now or later. */
  attachProcess(pid: number): void {
    this.#wantedProcesses.add(pid);
    this.#attachFound();
  }

  /** Adds a log that was opened, and chooses it. */
  addPast(session: PanelSession): void {
    this.#past.set(session.key, session);
    this.#isNew = false;
    this.choose(session.key);
  }

  /** Ends a connection and keeps the last state; takes away what has ended before or is past. */
  detach(key: string): void {
    const session = this.#attached.get(key);
    if (session && isLive(session)) {
      const id = session.announcement.session;
      this.#wanted = this.#wanted.filter(other => other !== id);
      this.#unwanted.add(id);
      session.disconnect();
    } else {
      this.#attached.delete(key);
      this.#past.delete(key);
    }
    this.#remember();
    this.#changed();
  }

  /** A log was deleted. */
  forgetLog(path: string): void {
    for (const { key, logFile } of this.#past.values()) {
      if (logFile === path) {
        this.detach(key);
      }
    }
  }

  /** The announced sessions are these now. */
  announcedAre(found: readonly FoundAnnouncement[]): void {
    this.#found = found;
    const files = new Set(found.map(({ file }) => file));
    this.#done = new Set([...this.#done].filter(file => files.has(file)));
    this.#attachFound();
    this.#changed();
  }

  /** Folders or settings have changed. */
  reconsider(): void {
    this.#workspace.forget();
    this.#attachFound();
    this.#changed();
  }

  /** Ends every connection; nothing is told any more. */
  dispose(): void {
    for (const session of this.#attached.values()) {
      session.dispose();
    }
    this.#attached.clear();
    this.#past.clear();
    this.#all = undefined;
    this.#listeners.clear();
  }

  #attachFound(): void {
    for (const announced of this.#found) {
      const known = this.withId(announced.session);
      if (this.#unwanted.has(announced.session) || this.#done.has(announced.file)) {
        continue;
      }
      if (known) {
        this.#goOn(known, announced);
      } else if (this.#isWanted(announced) || this.#comesByItself(announced)) {
        this.#add(announced);
      }
    }
  }

  /** The agent was started again, or the way to it is open again. */
  #goOn(session: AttachedSession, announced: FoundAnnouncement): void {
    const isAnother = announced.file !== session.announcement.file;
    if (isAnother && session.link.kind === 'ended') {
      session.reconnect(announced);
    } else if (isAnother && session.link.kind === 'lost') {
      session.retry();
    }
  }

  #comesByItself({ cwd }: FoundAnnouncement): boolean {
    return this.#options.autoAttach() && this.#workspace.hold(cwd) && this.#liveCount() < MOST_BY_ITSELF;
  }

  #isWanted({ session, pid }: FoundAnnouncement): boolean {
    return this.#wanted.includes(session) || this.#wantedProcesses.has(pid);
  }

  #liveCount(): number {
    return [...this.#attached.values()].filter(isLive).length;
  }

  #add(announced: FoundAnnouncement): AttachedSession {
    const { connect, isGone, findLog, now, events, refused } = this.#options;
    const session: AttachedSession = new AttachedSession(announced, {
      connect,
      isGone,
      findLog,
      now,
      events,
      refused,
      changed: () => this.#sessionChanged(session),
    });
    this.#attached.set(session.key, session);
    this.#changed();
    return session;
  }

  #sessionChanged(session: AttachedSession): void {
    if (session.link.kind === 'connected') {
      this.#isNew = false;
    } else if (session.link.kind === 'ended') {
      this.#done.add(session.announcement.file);
      this.#dropOldEnded();
      this.#attachFound();
    }
    this.#changed();
  }

  #dropOldEnded(): void {
    const ended = [...this.#attached.values()]
      .filter(({ key, link }) => link.kind === 'ended' && key !== this.#chosen)
      .sort((one, other) => endOf(other) - endOf(one));
    for (const { key } of ended.slice(KEPT_ENDED)) {
      this.#attached.delete(key);
    }
  }

  #remember(): void {
    this.#options.remember({
      attached: this.#wanted,
      ...(this.#chosen !== undefined && { chosen: this.#chosen }),
    });
  }

  #changed(): void {
    this.#all = undefined;
    this.#listeners.changed();
  }
}

function keyOf(id: string): string {
  return `session:${id}`;
}

function isConnected({ link }: PanelSession): boolean {
  return link.kind === 'connected';
}

/** It may still change. */
function isLive({ link }: PanelSession): boolean {
  return link.kind !== 'ended' && link.kind !== 'past';
}

function endOf({ link }: PanelSession): number {
  return link.kind === 'ended' ? link.since : 0;
}
