import { setTimeout } from 'node:timers/promises';
import { generationName, type Newest, newestOf } from '../local/generations.ts';
import { readSummary } from '../local/lifecycleSummary.ts';
import { LogInUseError, LogWriteError } from '../local/logErrors.ts';
import { type LogFile, readLog } from '../local/logFile.ts';
import type { LogWriter } from '../local/logWriter.ts';
import { createLog, logName, logPath, resumeLog } from '../local/openLog.ts';
import { summaryEvents } from '../local/summaryEvents.ts';
import { LOG_VERSION, type LogHeader } from '../protocol/log/sessionEvents.ts';
import { CorruptLogError } from '../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { SessionLog } from './sessionLog.ts';

/** What decides which log a session writes. */
export interface LogIdentity {
  /** Where logs lie. */
  readonly folder: string;
  readonly agent: string;
  /** The host's id; absent: a new session. */
  readonly sessionId?: string | undefined;
  /** The host's session that this one branched off from. */
  readonly forkedFrom?: string | undefined;
  /** The host's session whose sub-agent this one is. */
  readonly parent?: string | undefined;
  readonly cwd?: string | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A log that this process alone writes. */
export interface StartedLog {
  readonly writer: LogWriter;
  /** After the events that the file holds already. */
  readonly log: SessionLog;
  readonly header: LogHeader;
  /** Events that the file holds already. */
  readonly past: readonly LogEvent[];
  readonly reason: 'new' | 'resumed' | 'forked';
  /** The session whose events were copied; only in a fork. */
  readonly forkedFrom?: string;
  /** There was a log whose discards nobody knows any more. */
  readonly earlierUnknown: boolean;
  /** Sentences for a person. */
  readonly notices: readonly string[];
}

/**
 * Goes on with the log of the host's session, or begins one. A log that another process writes, or that cannot be read to
 * its end, is never touched: its readable events are copied into a new log. Rejects with `UnsafeFolderError` and
 * `LogWriteError`.
 */
export async function startLog(identity: LogIdentity): Promise<StartedLog> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(identity);
    } catch (error) {
      if (!isChanging(error) || tries === MOST_TRIES) {
        throw error;
      }
      await setTimeout(RETRY_MILLISECONDS);
    }
  }
}

/** Another process is making, or removing, the very log that is wanted: soon it is there or gone. */
function isChanging(error: unknown): boolean {
  return error instanceof LogInUseError || (error instanceof LogWriteError && CHANGING.has(error.code));
}

const CHANGING: ReadonlySet<string> = new Set(['exists', 'removed']);
const MOST_TRIES = 50;
const RETRY_MILLISECONDS = 20;

async function start(identity: LogIdentity): Promise<StartedLog> {
  const { folder, agent, sessionId, forkedFrom } = identity;
  if (sessionId === undefined) {
    const name = logName(agent);
    return begin(identity, name, { ...NOTHING, id: name.slice(0, SHORT_ID) });
  }
  const newest = newestOf(folder, logName(agent, sessionId));
  if (newest?.left === 'log') {
    return goOn(identity, sessionId, newest);
  }
  if (newest) {
    const kept = whatIsKept(folder, newest);
    return { ...begin(identity, newest.name, { ...kept, id: sessionId }), reason: 'resumed' };
  }
  const parent = forkedFrom === undefined ? undefined : newestOf(folder, logName(agent, forkedFrom));
  const past = parent === undefined ? NOTHING : await pastOf(folder, parent);
  return begin(identity, logName(agent, sessionId), { ...past, id: sessionId, ...(parent && { forkedFrom }) });
}

type Past = Pick<Beginning, 'past' | 'notices' | 'earlierUnknown'>;

const NOTHING: Past = { past: [], notices: [], earlierUnknown: false };

/** Everything that a session which branches off starts with. */
async function pastOf(folder: string, newest: Newest): Promise<Past> {
  if (newest.left === 'summary') {
    return whatIsKept(folder, newest);
  }
  const { events, fault } = await readLog(logPath(folder, newest.name));
  return {
    past: events,
    notices: fault ? [`${fault.message} This session goes on from those.`] : [],
    earlierUnknown: fault !== undefined,
  };
}

/** What retention kept of a log that it removed: what was discarded stays so. */
function whatIsKept(folder: string, { name }: Newest): Past {
  try {
    const summary = readSummary(folder, name);
    return summary ? { ...NOTHING, past: summaryEvents(summary) } : NOTHING;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { past: [], notices: [`${said} Earlier discards of this session are unknown.`], earlierUnknown: true };
  }
}

/** Of the random name of a session that nobody has named. */
const SHORT_ID = 12;

async function goOn(identity: LogIdentity, sessionId: string, newest: Newest): Promise<StartedLog> {
  const { folder, agent, now } = identity;
  const path = logPath(folder, newest.name);
  const { file, taken, why } = await tryToResume(path, now);
  if (taken && file.header) {
    return { ...taken, header: file.header, past: file.events, reason: 'resumed', notices: [], earlierUnknown: false };
  }
  const next = newest.generation + 1;
  const id = `${sessionId}~${next}`;
  const notices = [`${why} This session goes on as ${id}, with a copy of what could be read.`];
  return begin(identity, generationName(logName(agent, sessionId), next), {
    id,
    past: file.events,
    earlierUnknown: file.fault !== undefined,
    notices,
    forkedFrom: file.header?.id ?? sessionId,
  });
}

interface Resuming {
  readonly file: LogFile;
  /** Absent where the file cannot be gone on with: `why` says so. */
  readonly taken?: { readonly writer: LogWriter; readonly log: SessionLog };
  readonly why: string;
}

async function tryToResume(path: string, now: () => number): Promise<Resuming> {
  let writer: LogWriter | undefined;
  try {
    const resumed = await resumeLog(path);
    if (!resumed) {
      throw new LogWriteError(path, {
        code: 'removed',
        what: 'it was removed just now',
        mend: 'Start the session again.',
      });
    }
    const { log: file } = resumed;
    writer = resumed.writer;
    if (!writer) {
      return { file, why: file.fault?.message ?? '' };
    }
    return { file, taken: { writer, log: new SessionLog(writer, file.events, now) }, why: '' };
  } catch (error) {
    writer?.close();
    if (error instanceof LogInUseError || error instanceof CorruptLogError) {
      return { file: await readLog(path), why: error.message };
    }
    throw error;
  }
}

interface Beginning {
  readonly id: string;
  readonly past: readonly LogEvent[];
  readonly notices: readonly string[];
  readonly earlierUnknown: boolean;
  readonly forkedFrom?: string | undefined;
}

function begin(identity: LogIdentity, name: string, beginning: Beginning): StartedLog {
  const { folder, agent, cwd, now, parent } = identity;
  const { id, notices, earlierUnknown, forkedFrom } = beginning;
  const parentSession = forkedFrom ?? parent;
  const past = consistent(beginning.past);
  const header: LogHeader = {
    version: LOG_VERSION,
    id,
    agent,
    ...(cwd !== undefined && { cwd }),
    created: now(),
    ...(parentSession !== undefined && { parentSession }),
    ...(parent !== undefined && forkedFrom === undefined && { subAgent: true }),
  };
  const writer = createLog({ folder, name, header, events: past });
  return {
    writer,
    log: new SessionLog(writer, past, now),
    header,
    past,
    reason: forkedFrom === undefined ? 'new' : 'forked',
    ...(forkedFrom !== undefined && { forkedFrom }),
    earlierUnknown,
    notices,
  };
}

/** Those before the first one that contradicts the events before it. */
function consistent(events: readonly LogEvent[]): readonly LogEvent[] {
  try {
    return new SessionLog(NOWHERE, events, () => 0).committed;
  } catch (error) {
    if (error instanceof CorruptLogError) {
      return events.slice(0, error.index ?? 0);
    }
    throw error;
  }
}

const NOWHERE = { append: () => undefined };
