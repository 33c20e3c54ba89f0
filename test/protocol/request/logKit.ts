import assert from 'node:assert/strict';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import type { RawRequestHeader, RequestHeader } from '../../../protocol/request/header.ts';
import type { Json } from '../../../protocol/request/json.ts';
import type { LogEvent, SurfaceOp } from '../../../protocol/request/logEvent.ts';
import { type HeaderEvent, recordHeader } from '../../../protocol/request/recordHeader.ts';
import { deepFreeze } from './vectorFile.ts';

/** An event as a test writes it: `logOf` gives it its place. */
export interface Entry {
  readonly type: string;
  readonly data: unknown;
  readonly surfaceOp?: SurfaceOp;
}

/** A log of these events, deep-frozen and with nothing shared. */
export function logOf(...entries: readonly Entry[]): readonly LogEvent[] {
  const copies = structuredClone(entries);
  return deepFreeze(copies.map((entry, seq) => ({ ...entry, seq, time: 1000 + seq }))) as readonly LogEvent[];
}

export const text = (value: string): { readonly type: 'text'; readonly text: string } => ({
  type: 'text',
  text: value,
});

export const user = (value: string, surfaceOp: SurfaceOp = 'append'): Entry => ({
  type: 'user/message',
  data: { content: [text(value)], source: { kind: 'user' } },
  surfaceOp,
});

export const assistant = (...content: readonly Json[]): Entry => ({
  type: 'assistant/message',
  data: { turn: 1, step: 1, content },
  surfaceOp: 'append',
});

export const stepStart: Entry = { type: 'step/start', data: { turn: 1, step: 1 } };

export const snapshot = (header: unknown, reason = 'initial'): Entry => ({
  type: 'request/header',
  data: { header, reason },
});

export const delta = (data: unknown): Entry => ({ type: 'request/header-delta', data });

/** Runs one instance over these headers after these events: what it wrote for each, and the log after it. */
export function runInstance(
  before: readonly LogEvent[],
  headers: readonly RawRequestHeader[],
): { readonly written: readonly (HeaderEvent | undefined)[]; readonly log: readonly LogEvent[] } {
  let log = before;
  let loggedHeader = false;
  const written = headers.map(header => {
    const event = recordHeader(log, { loggedHeader }, header);
    if (event) {
      log = logOf(...log, event);
      loggedHeader = true;
    }
    return event;
  });
  return { written, log };
}

/** Asserts the named error, its place, and that it is one sentence about it. */
export function assertCorrupt(run: () => unknown, index: number | undefined, reason: RegExp): void {
  assert.throws(run, (error: unknown) => {
    assert.ok(error instanceof CorruptLogError, String(error));
    assert.equal(error.name, 'CorruptLogError');
    assert.equal(error.index, index);
    assert.match(error.reason, reason);
    assert.ok(error.message.includes(error.reason));
    return true;
  });
}

/** Folds entries written by a test. */
export function fold(...entries: readonly Entry[]): RequestHeader | undefined {
  return foldRequestHeader(logOf(...entries));
}
