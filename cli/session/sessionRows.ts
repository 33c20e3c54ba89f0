import type { FoundAnnouncement } from '../../local/announcements.ts';
import type { Folders } from '../../local/folders.ts';
import { type ListedLog, listLogs } from '../../local/listLogs.ts';
import { readLog } from '../../local/logFile.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { repositoryOf } from '../gitIgnore.ts';
import { isInside } from '../paths.ts';
import { liveSessions } from './liveSessions.ts';
import { endOf } from './openedLog.ts';
import { shortIds } from './sessionIds.ts';

/** A session in a list. */
export interface SessionRow {
  /** What to type for it; the whole id of one that has no log here. */
  readonly shown: string;
  /** Absent where the log's first line cannot be used. */
  readonly id?: string;
  readonly agent?: string;
  readonly cwd?: string;
  /** It ran in this folder's project. */
  readonly here: boolean;
  /** Unix milliseconds of the last event. */
  readonly when: number;
  /** Absent for a session that has no log here. */
  readonly log?: { readonly path: string; readonly bytes: number } & LogSums;
  /** Absent for a past session. */
  readonly live?: {
    readonly pid?: number;
    readonly announced: boolean;
    readonly writer?: string;
    /** Where the agent keeps its own transcript. */
    readonly transcript?: string;
  };
}

/** What a log comes to; all absent where nothing of it can be read. */
interface LogSums {
  readonly requests?: number;
  readonly blocks?: { readonly active: number; readonly discarded: number };
  /** What is wrong with the log, as a sentence. */
  readonly problem?: string;
}

/** A list of sessions, and how many there are beyond it. */
export interface SessionRows {
  readonly rows: readonly SessionRow[];
  readonly left: number;
}

/** Sessions of this folder's project first, then those that live, then the last used. At most `limit` logs are read. */
export async function sessionRows(place: Folders, cwd: string, limit: number): Promise<SessionRows> {
  const [logs, live] = await Promise.all([listLogs(place.sessions), liveSessions(place)]);
  const root = repositoryOf(cwd) ?? cwd;
  const short = shortIds(logs);
  const isHere = (folder: string | undefined): boolean => folder !== undefined && isInside(folder, root);
  const rows = [
    ...logs.map(log => rowOf(log, short.get(log) ?? log.name, isHere(log.header?.cwd), announcementOf(log, live))),
    ...live
      .filter(each => logs.every(log => announcementOf(log, [each]) === undefined))
      .map(each => bareRow(each, isHere(each.cwd))),
  ].sort((a, b) => rank(b) - rank(a) || b.when - a.when);
  const listed = rows.slice(0, limit);
  return { rows: await Promise.all(listed.map(withSums)), left: rows.length - listed.length };
}

function rank({ here, live }: SessionRow): number {
  return (here ? 2 : 0) + (live ? 1 : 0);
}

function announcementOf({ header }: ListedLog, live: readonly FoundAnnouncement[]): FoundAnnouncement | undefined {
  return live.find(({ session, agent }) => session === header?.id && agent === header.agent);
}

function rowOf(log: ListedLog, shown: string, here: boolean, announced: FoundAnnouncement | undefined): SessionRow {
  const { path, size, modified, header, last, writer, reason } = log;
  return {
    shown,
    ...(header && { id: header.id, agent: header.agent }),
    ...(header?.cwd !== undefined && { cwd: header.cwd }),
    here,
    when: last?.time ?? modified,
    log: { path, bytes: size, ...(reason !== undefined && { problem: reason }) },
    ...((announced || writer !== undefined) && {
      live: {
        ...(announced && { pid: announced.pid }),
        ...(announced?.transcript !== undefined && { transcript: announced.transcript }),
        announced: announced !== undefined,
        ...(writer !== undefined && { writer }),
      },
    }),
  };
}

function bareRow({ session, agent, cwd, pid, started, transcript }: FoundAnnouncement, here: boolean): SessionRow {
  return {
    shown: session,
    id: session,
    agent,
    ...(cwd !== undefined && { cwd }),
    here,
    when: started,
    live: { pid, announced: true, ...(transcript !== undefined && { transcript }) },
  };
}

async function withSums(row: SessionRow): Promise<SessionRow> {
  return row.log && row.id !== undefined
    ? { ...row, log: { ...row.log, ...(await sumsOf(row.log.path, row.live !== undefined)) } }
    : row;
}

async function sumsOf(path: string, isLive: boolean): Promise<LogSums> {
  try {
    const log = await readLog(path);
    const { state, fault } = stateOf(log.events);
    const { ending } = endOf(fault ? { ...log, fault } : log, isLive);
    const blocks = [...state.lifecycle.blocks.values()];
    const active = blocks.filter(({ status }) => status === 'active').length;
    return {
      requests: state.requests.length,
      blocks: { active, discarded: blocks.length - active },
      ...(ending !== undefined && { problem: ending }),
    };
  } catch (error) {
    return { problem: `It cannot be read: ${(error as Error).message}.` };
  }
}

/** The state after the events that fit together. */
function stateOf(events: readonly LogEvent[]): { readonly state: SessionState; readonly fault?: CorruptLogError } {
  let state = initialState;
  for (const event of events) {
    try {
      state = reduce(state, event);
    } catch (error) {
      if (error instanceof CorruptLogError) {
        return { state, fault: error };
      }
      throw error;
    }
  }
  return { state };
}
