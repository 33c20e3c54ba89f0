import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { GatewaySessions } from '../../adapter/gateway/session/gatewaySessions.ts';
import { SessionCalls } from '../../adapter/gateway/session/sessionCalls.ts';
import { REAL_TIMERS } from '../../adapter/gateway/session/sessionPool.ts';
import { compactedBody } from './gatewayBodies.ts';
import { heapUsed, megabytes, type Row, times } from './measure.ts';

const EARLY = 2_000;
const LATE = 10_000;
const LONG = 2_000;
/** Of one short session. */
const REQUESTS = 20;
const MOST_SESSIONS = 8;
const STEPS = 20;
const ANSWER = Buffer.from('{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn","usage":{}}');

/** Issue 5, Bench: what the gateway holds after many requests of sessions that come and go, and what one that stays adds. */
export async function gatewayHeap(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-gateway-'));
  const calls = callsIn(folder);
  try {
    let early = 0;
    for (let request = 1; request <= LATE; request++) {
      await send(calls, `short-${Math.floor(request / REQUESTS)}`, request % REQUESTS);
      early = request === EARLY ? heapUsed() : early;
    }
    const late = heapUsed();
    for (let request = 1; request <= LONG; request++) {
      await send(calls, 'long', request);
    }
    const ratio = late / early;
    return [
      {
        work: `gateway, heap at request 10,000 beside request 2,000, sessions of ${REQUESTS} requests, ${MOST_SESSIONS} open`,
        ours: megabytes(late),
        peer: megabytes(early),
        ratio: times(ratio),
        bar: '<= 1.1x',
        met: ratio <= 1.1,
      },
      {
        work: 'gateway, heap that a request of one long, compacted session adds: its log is in memory until it is closed',
        ours: `${((heapUsed() - late) / LONG / 1_000).toFixed(1)} kB`,
        peer: '',
        ratio: '',
        bar: 'printed',
      },
    ];
  } finally {
    await calls.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function callsIn(folder: string): SessionCalls {
  const sessions = new GatewaySessions({
    folder,
    cwd: folder,
    sources: [],
    hasHook: false,
    timers: REAL_TIMERS,
    mostSessions: MOST_SESSIONS,
    idle: 3_600_000,
    config: { announce: false, countTokens: false },
    tell: () => undefined,
  });
  return new SessionCalls({ sessions, onFailure: 'refuse' });
}

async function send(calls: SessionCalls, session: string, last: number): Promise<void> {
  const body = compactedBody(last, STEPS);
  const made = await calls.prepare({
    method: 'POST',
    provider: 'anthropic',
    path: '/v1/messages',
    headers: { 'x-claude-code-session-id': session, 'content-type': 'application/json' },
    body,
    signal: new AbortController().signal,
  });
  if (made.kind !== 'send') {
    throw new Error(`The bench's request was not sent: ${JSON.stringify(made)}`);
  }
  made.sent.left(
    createHash('sha256')
      .update(made.body ?? body)
      .digest('hex'),
  );
  made.sent.head({ status: 200, headers: { 'content-type': 'application/json' } });
  made.sent.piece(ANSWER);
  made.sent.end('whole');
  // As between requests that come by a connection: what was closed meanwhile ends.
  await setImmediate();
}
