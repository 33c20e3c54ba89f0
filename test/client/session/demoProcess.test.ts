import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DemoProcess } from '../../../client/session/demoProcess.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';
import { inTime } from '../../server/deadline.ts';

function start(t: TestContext, text: string) {
  const cwd = privateFolder(t);
  const script = join(cwd, 'demo.mjs');
  writeFileSync(script, text);
  let tell: (reason: string | undefined) => void = () => {};
  const ended = new Promise<string | undefined>(resolve => {
    tell = resolve;
  });
  const demo = new DemoProcess({ script, cwd, ended: tell });
  t.after(() => demo.stop());
  return { demo, ended: inTime(ended, 'the end of the demo') };
}

test('a demo that is stopped ends without a reason', async t => {
  const { demo, ended } = start(t, 'setInterval(() => console.log("x".repeat(100_000)), 1)');
  assert.equal(demo.running, true);
  assert.ok((demo.pid ?? 0) > 0);
  demo.stop();
  assert.equal(await ended, undefined);
  assert.equal(demo.running, false);
});

test('a demo that fails ends with what it said, at most its last words', async t => {
  const { ended } = start(t, 'console.error("y".repeat(9_000) + " No log could be written."); process.exitCode = 2;');
  const reason = await ended;
  assert.match(reason ?? '', /No log could be written\.$/);
  assert.ok((reason ?? '').length <= 2_000);
});

test('a demo runs by the editor’s own Node, with the command line that is shipped', async t => {
  const text = 'console.error(process.argv.slice(2).join(" "), process.env.ELECTRON_RUN_AS_NODE); process.exit(1);';
  assert.equal(await start(t, text).ended, 'demo --keep-open 1');
});
