import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';
import { startDemoSession } from '../../scripts/start/demoSession.ts';
import { makeTemporaryFolder } from '../host/profile.ts';

test('npm start has a demo session in the sample that the shipped command line sees live', {
  timeout: 120_000,
}, async () => {
  const folder = join(makeTemporaryFolder('sample'), 'sample');
  cpSync(inRepository('sample'), folder, { recursive: true });
  const seen = await startDemoSession(folder).untilLive();
  assert.match(
    seen,
    /^Saw the demo session [0-9a-f]{8} live \(process \d+; requests: \d+ sealed, blocks: \d active, \d discarded; request 1 has \d{4} bytes\)\.$/,
  );
});
