import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { readLog } from '../../local/logFile.ts';
import type { Policy } from '../../protocol/lifecycle/policy.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { StateHistory } from '../../protocol/log/stateHistory.ts';
import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import { stripContent } from './logEvents.ts';
import { requestOf } from './pastStates.ts';
import type { PanelSession, RequestText } from './sessionModel.ts';

/** A log with its events takes several times its size in memory; a longer one is for the command line. */
const LARGEST_LOG_BYTES = 200_000_000;
const SLICE_MS = 10;
const NO_TIER1 = 'This is a log of the past: its task and its constraints stay as they are.';

/** A log as it was read. */
export interface OpenedLog {
  readonly session: PanelSession;
  /** For a person: why only the events before some place are there. Absent where all are. */
  readonly fault?: string;
}

/**
 * Reads a session's log to look at it. It is folded in slices, so that the editor goes on meanwhile. Rejects with a sentence where
 * nothing of it can be used, where it is larger than `largest` bytes, with the system's errors, and when `signal` ends it.
 */
export async function openPastSession(
  path: string,
  signal?: AbortSignal,
  largest = LARGEST_LOG_BYTES,
): Promise<OpenedLog> {
  const { size } = await stat(path);
  if (size > largest) {
    throw new Error(
      `This log has ${megabytes(size)} MB, and at most ${megabytes(largest)} MB are opened here. "context-lifecycle log" reads it.`,
    );
  }
  const { header, events, fault } = await readLog(path, signal);
  if (header === undefined) {
    throw fault ?? new Error('This file holds nothing.');
  }
  const folded = await fold(events, signal);
  const reason = fault ?? folded.fault;
  return {
    session: new PastSession(path, header, folded),
    ...(reason && { fault: reason.message }),
  };
}

interface Folded {
  readonly state: SessionState;
  /** With what led to it. */
  readonly states: StateHistory;
  readonly history: RequestHistory;
  /** Those that fit together. */
  readonly events: readonly LogEvent[];
  readonly fault?: CorruptLogError;
}

async function fold(events: readonly LogEvent[], signal: AbortSignal | undefined): Promise<Folded> {
  const history = new RequestHistory();
  const states = new StateHistory();
  let state = states.latest;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, event] of events.entries()) {
    if (performance.now() > sliceEnd) {
      await setImmediate();
      signal?.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
    try {
      states.append(event);
      history.append(event);
      state = states.latest;
    } catch (error) {
      if (!(error instanceof CorruptLogError)) {
        throw error;
      }
      return { state, states, history, events: events.slice(0, index), fault: error };
    }
  }
  return { state, states, history, events };
}

/** Over, or written by an agent that this window does not watch: nothing in it changes any more. */
class PastSession implements PanelSession {
  readonly key: string;
  readonly header: LogHeader;
  readonly link = { kind: 'past' } as const;
  readonly state: SessionState;
  readonly policy: Policy;
  readonly mayDiscard = false;
  readonly logFile: string;
  readonly #history: RequestHistory;
  readonly #states: StateHistory;
  readonly #events: readonly LogEvent[];

  constructor(path: string, header: LogHeader, { state, states, history, events }: Folded) {
    this.key = `log:${path}`;
    this.logFile = path;
    this.header = header;
    this.state = state;
    this.#states = states;
    this.policy = state.opened?.policy ?? { rules: [] };
    this.#history = history;
    this.#events = events;
  }

  history(from: number, to: number): Promise<readonly LogEvent[]> {
    return Promise.resolve(this.#events.slice(from, to).map(stripContent));
  }

  async readRequest(requestSequence: number): Promise<RequestText> {
    const sealed = this.state.requests.get(requestSequence - 1)?.sealed;
    const text = sealed && this.#history.sealedText(requestSequence);
    if (text === undefined) {
      throw new Error(`This log holds no request ${requestSequence}.`);
    }
    return { text, hash: sealed?.hash ?? '', content: this.#contentBefore(sealed?.seq ?? 0) };
  }

  async stateAt(requestSequence: number): Promise<SessionState> {
    // Its events are all there: a state that is missing would be a request that is.
    return this.#states.at(requestOf(this.state, requestSequence).sealed.seq + 1) ?? this.state;
  }

  /** Nothing will be sent any more, so nothing has a price. */
  whatIf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  whatIfCompressed(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  discard(): Promise<never> {
    return Promise.reject(new Error('This is a log of the past: nothing in it can be discarded.'));
  }

  tier1(): Promise<never> {
    return Promise.reject(new Error(NO_TIER1));
  }

  updateTier1(): Promise<never> {
    return Promise.reject(new Error(NO_TIER1));
  }

  rebasePrefix(): Promise<never> {
    return Promise.reject(new Error(NO_TIER1));
  }

  #contentBefore(seq: number): RequestText['content'] {
    const isHashed = ({ type, data }: LogEvent): boolean =>
      type === 'session/opened' && (data as { readonly content?: unknown }).content === 'hashes';
    return this.#events.slice(0, seq).some(isHashed) ? 'hashes' : 'full';
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);
}
