import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { bootId, isSameBoot } from '../../local/bootId.ts';
import { processAlive, processStart } from '../../local/processAlive.ts';

test('boot id: it stays the same, and is the one that another process finds', async () => {
  assert.equal(bootId(), bootId());
  const url = new URL('../../local/bootId.ts', import.meta.url).href;
  const program = `import { bootId } from ${JSON.stringify(url)}; process.stdout.write(bootId());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  let theirs = '';
  child.stdout.on('data', piece => (theirs += String(piece)));
  await once(child, 'close');
  assert.ok(isSameBoot(theirs, bootId()), theirs);
});

test('boot id: times of one start may differ by what the clock was set right; other names may not', () => {
  assert.ok(isSameBoot('booted-1000', 'booted-1090'));
  assert.ok(!isSameBoot('booted-1000', 'booted-2000'));
  assert.ok(isSameBoot('a-b', 'a-b'));
  assert.ok(!isSameBoot('a-b', 'a-c'));
  assert.ok(!isSameBoot('a-b', 'booted-1000'));
});

test('process: one lives until it is gone, and one with its number later is another', async () => {
  assert.ok(processAlive(process.pid));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const { pid } = child;
  assert.ok(pid !== undefined && processAlive(pid));
  const start = processStart(pid);
  assert.notEqual(start ?? 'theirs', processStart(process.pid) ?? 'ours');
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.ok(!processAlive(pid));
  assert.equal(processStart(pid), undefined);
});

test('process: one of another user lives too', () => {
  // Number 1 is there wherever there is a kill(2), and is not ours unless we are root.
  assert.equal(processAlive(1), process.platform !== 'win32');
});
