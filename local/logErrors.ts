/** Another process writes this log, or has written to it behind our back. The session goes on in a copy of it. */
export class LogInUseError extends Error {
  override readonly name = 'LogInUseError';
  readonly path: string;

  constructor(path: string, why: string) {
    super(`The session log ${path} is in use: ${why}.`);
    this.path = path;
  }
}

/** Events could not be written. The caller sends nothing that depends on them. */
export class LogWriteError extends Error {
  override readonly name = 'LogWriteError';
  readonly path: string;
  /** The system's name of what went wrong (`ENOSPC` …), or one of ours. */
  readonly code: string;
  /** How many whole events of the batch are in the file all the same, in order from its first. */
  readonly written: number;

  constructor(path: string, fault: LogWriteFault, written = 0) {
    super(`The session log ${path} could not be written: ${fault.what}. ${fault.mend}`);
    this.path = path;
    this.code = fault.code;
    this.written = written;
  }
}

export interface LogWriteFault {
  readonly code: string;
  /** Part of a sentence. */
  readonly what: string;
  /** A sentence. */
  readonly mend: string;
}

const OTHER_DISK = 'set CONTEXT_LIFECYCLE_HOME to a folder on another disk';
const FULL = { what: 'the disk is full', mend: `Free some space on it, or ${OTHER_DISK}.` };

/** What a person can do about an error of the system. */
const FAULTS: Readonly<Record<string, Omit<LogWriteFault, 'code'>>> = {
  ENOSPC: FULL,
  EDQUOT: { what: 'your share of the disk is used up', mend: `Free some space on it, or ${OTHER_DISK}.` },
  EFBIG: {
    what: 'the file has reached the largest size that is allowed',
    mend: 'Raise the limit, or start a new session.',
  },
  EROFS: { what: 'the disk is read-only', mend: `Make it writable, or ${OTHER_DISK}.` },
  EACCES: {
    what: 'you may not write there',
    mend: 'Give yourself the right to, or set CONTEXT_LIFECYCLE_HOME to a folder of your own.',
  },
  EPERM: {
    what: 'you may not write there',
    mend: 'Give yourself the right to, or set CONTEXT_LIFECYCLE_HOME to a folder of your own.',
  },
  ENOENT: { what: 'its folder is gone', mend: 'Start the session again.' },
  EIO: { what: 'the disk reports an error', mend: `Check the disk, or ${OTHER_DISK}.` },
  EMFILE: { what: 'too many files are open', mend: 'Close some programs, or raise the limit.' },
  ENFILE: { what: 'too many files are open', mend: 'Close some programs, or raise the limit.' },
};

/** The fault that an error of the system means; errors that are not the system's are thrown on. */
export function writeFaultOf(error: unknown): LogWriteFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') {
    throw error;
  }
  const known = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
  const what = `the system says "${(error as Error).message}"`;
  return { code, ...(known ?? { what, mend: 'Mend that, and start the session again.' }) };
}
