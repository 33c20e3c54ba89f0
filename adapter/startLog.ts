import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { LogInUseError, LogWriteError } from '../local/logErrors.ts';
import { type LogFile, readLog } from '../local/logFile.ts';
import type { LogWriter } from '../local/logWriter.ts';
import { createLog, logName, logPath, resumeLog } from '../local/openLog.ts';
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
    return begin(identity, name, { id: name.slice(0, SHORT_ID), past: [], notices: [] });
  }
  const generation = lastGeneration(folder, logName(agent, sessionId));
  if (generation >= 0) {
    return goOn(identity, sessionId, generation);
  }
  const parent = forkedFrom === undefined ? undefined : await lastLog(folder, logName(agent, forkedFrom));
  return begin(identity, logName(agent, sessionId), {
    id: sessionId,
    past: parent?.events ?? [],
    notices: parent?.fault ? [`${parent.fault.message} This session goes on from those.`] : [],
    ...(parent?.header && { forkedFrom: parent.header.id }),
  });
}

/** Of the random name of a session that nobody has named. */
const SHORT_ID = 12;

/** Logs of one host session that were begun because the one before could not be gone on with. */
const MOST_GENERATIONS = 1_000;

function generationName(name: string, generation: number): string {
  return generation === 0 ? name : `${name}-${generation}`;
}

/** -1 where there is no log of this name. */
function lastGeneration(folder: string, name: string): number {
  let generation = -1;
  while (generation < MOST_GENERATIONS && existsSync(logPath(folder, generationName(name, generation + 1)))) {
    generation++;
  }
  return generation;
}

async function lastLog(folder: string, name: string): Promise<LogFile | undefined> {
  const generation = lastGeneration(folder, name);
  return generation < 0 ? undefined : readLog(logPath(folder, generationName(name, generation)));
}

async function goOn(identity: LogIdentity, sessionId: string, generation: number): Promise<StartedLog> {
  const { folder, agent } = identity;
  const name = logName(agent, sessionId);
  const path = logPath(folder, generationName(name, generation));
  const { file, taken, why } = await tryToResume(path, identity.now);
  if (taken && file.header) {
    return { ...taken, header: file.header, past: file.events, reason: 'resumed', notices: [] };
  }
  const next = generation + 1;
  const id = `${sessionId}~${next}`;
  const notices = [`${why} This session goes on as ${id}, with a copy of what could be read.`];
  return begin(identity, generationName(name, next), {
    id,
    past: file.events,
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
  readonly forkedFrom?: string;
}

function begin(identity: LogIdentity, name: string, beginning: Beginning): StartedLog {
  const { folder, agent, cwd, now } = identity;
  const { id, notices, forkedFrom } = beginning;
  const past = consistent(beginning.past);
  const header: LogHeader = {
    version: LOG_VERSION,
    id,
    agent,
    ...(cwd !== undefined && { cwd }),
    created: now(),
    ...(forkedFrom !== undefined && { parentSession: forkedFrom }),
  };
  const writer = createLog({ folder, name, header, events: past });
  return {
    writer,
    log: new SessionLog(writer, past, now),
    header,
    past,
    reason: forkedFrom === undefined ? 'new' : 'forked',
    ...(forkedFrom !== undefined && { forkedFrom }),
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
