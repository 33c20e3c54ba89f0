import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../local/kit.ts';
import { homeOf } from './sessionKit.ts';

const PROGRAM = new URL('openProgram.ts', import.meta.url);
const isRoot = process.getuid?.() === 0;

test('issue 3.4: a folder that one may not write to: no session, and a sentence that says what to do', async t => {
  const folder = homeOf(t);
  const sessions = join(folder, 'sessions');
  mkdirSync(sessions, { mode: 0o500 });
  if (isRoot) {
    // Root may write anywhere, so somebody else tries.
    chmodSync(folder, 0o711);
    chownSync(sessions, 65_534, 65_534);
  }
  const { lines, errors } = await run(PROGRAM, [folder], isRoot ? { uid: 65_534 } : {});
  assert.equal(errors, '');
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /^LogWriteError: The session log .* could not be written: you may not write there\. Give yourself the right to, or set CONTEXT_LIFECYCLE_HOME/,
  );
});
