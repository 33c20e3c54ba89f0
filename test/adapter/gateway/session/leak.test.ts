import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compactedBody } from '../../../bench/gatewayBodies.ts';
import { heapUsed } from '../../../bench/measure.ts';
import { callsIn, sendDirectly } from './directCalls.ts';

test('sessions that come and go beyond what may be open leave no memory behind', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cl-gateway-leak-'));
  const calls = callsIn(folder, 2);
  t.after(async () => {
    await calls.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const heap: number[] = [];
  for (let request = 1; request <= 1_000; request++) {
    await sendDirectly(calls, `session-${Math.floor(request / 10)}`, compactedBody(request % 10, 10));
    if (request === 200 || request === 1_000) {
      heap.push(heapUsed());
    }
  }
  const [early = 0, late = 0] = heap;
  assert.ok(late <= early * 1.1, `${early} bytes after 200 requests, ${late} after 1,000`);
});
