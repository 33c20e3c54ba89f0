import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callsIn, sendDirectly } from '../adapter/gateway/session/directCalls.ts';
import { compactedBody } from './gatewayBodies.ts';
import { heapUsed, megabytes, type Row, times } from './measure.ts';

const EARLY = 2_000;
const LATE = 10_000;
const LONG = 2_000;
/** Of one short session. */
const REQUESTS = 20;
const MOST_SESSIONS = 8;
const STEPS = 20;

/** Issue 5, Bench: what the gateway holds after many requests of sessions that come and go, and what one that stays adds. */
export async function gatewayHeap(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-gateway-'));
  const calls = callsIn(folder, MOST_SESSIONS);
  try {
    let early = 0;
    for (let request = 1; request <= LATE; request++) {
      await sendDirectly(calls, `short-${Math.floor(request / REQUESTS)}`, compactedBody(request % REQUESTS, STEPS));
      early = request === EARLY ? heapUsed() : early;
    }
    const late = heapUsed();
    for (let request = 1; request <= LONG; request++) {
      await sendDirectly(calls, 'long', compactedBody(request, STEPS));
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
