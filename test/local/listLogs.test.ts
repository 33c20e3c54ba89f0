import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { listLogs } from '../../local/listLogs.ts';
import { createLog, logPath } from '../../local/openLog.ts';
import { folderOf, HEADER, noteAt, notes } from './kit.ts';

test('list: each log with its first line, its size, its last event and who writes it; the last written first', async t => {
  const folder = folderOf(t);
  const old = createLog({ folder, name: 'old', header: { ...HEADER, id: 'o' }, events: notes(0, 3) });
  old.close();
  utimesSync(old.path, 1_000, 1_000);
  const live = createLog({ folder, name: 'live', header: HEADER });
  const [first, second] = await listLogs(folder);
  assert.deepEqual(first, {
    path: live.path,
    name: 'live',
    size: statSync(live.path).size,
    modified: statSync(live.path).mtimeMs,
    header: HEADER,
    writer: `process ${process.pid} writes it`,
  });
  assert.deepEqual(second, {
    path: old.path,
    name: 'old',
    size: statSync(old.path).size,
    modified: 1_000_000,
    header: { ...HEADER, id: 'o' },
    last: { type: 'session/problem', seq: 2, time: 2 },
  });
  live.close();
});

test('list: a folder that is not there has no logs', async t => {
  assert.deepEqual(await listLogs(join(folderOf(t), 'nowhere')), []);
});

test('list: the last event is absent where it is torn, too long, or not there', async t => {
  const folder = folderOf(t);
  createLog({ folder, name: 'none', header: HEADER }).close();
  createLog({ folder, name: 'long', header: HEADER, events: [noteAt(0, 50_000)] }).close();
  createLog({ folder, name: 'torn', header: HEADER, events: [noteAt(0)] }).close();
  appendFileSync(logPath(folder, 'torn'), '{"type":');
  for (const log of await listLogs(folder)) {
    assert.equal(log.last, undefined, log.name);
    assert.equal(log.reason, undefined, log.name);
  }
});

test('list: what is no readable log is in the list with its reason, and hinders nothing', async t => {
  const folder = folderOf(t);
  createLog({ folder, name: 'good', header: HEADER }).close();
  writeFileSync(logPath(folder, 'empty'), '');
  writeFileSync(logPath(folder, 'garbage'), 'garbage\n');
  writeFileSync(logPath(folder, 'half'), '{"version":1,"id');
  writeFileSync(logPath(folder, 'long'), '{'.repeat(1_000_000));
  writeFileSync(logPath(folder, 'newer'), '{"version":2}\n');
  writeFileSync(logPath(folder, 'nothing'), Buffer.alloc(5_000));
  mkdirSync(logPath(folder, 'folder'));
  symlinkSync('/dev/zero', logPath(folder, 'link'));
  const logs = await listLogs(folder);
  const reasons = Object.fromEntries(logs.map(({ name, reason }) => [name, reason]));
  assert.deepEqual(reasons, {
    good: undefined,
    empty: reasons['half'],
    garbage: reasons['half'],
    nothing: reasons['half'],
    half: 'The first line of this log cannot be used: it is no object. Nothing of the log was read.',
    long: 'Its first line is longer than 65536 bytes, so it is no session log.',
    newer:
      'The first line of this log cannot be used: the log is of version 2, and this program reads version 1 only. Nothing of the log was read.',
    folder: 'It is no ordinary file.',
    link: 'It is a symbolic link.',
  });
});

test('list: a first line that is long, as working folders may be, is read', async t => {
  const folder = folderOf(t);
  const header = { ...HEADER, cwd: `/${'ü'.repeat(20_000)}` };
  createLog({ folder, name: 'deep', header }).close();
  assert.deepEqual((await listLogs(folder))[0]?.header, header);
});

test('users-ask 63: many large logs are listed by their ends only, and keep nobody waiting', async t => {
  const folder = folderOf(t);
  const text = `${JSON.stringify(HEADER)}\n${JSON.stringify(noteAt(0))}\n`;
  const large = createLog({ folder, name: 'large', header: HEADER, events: notes(0, 20, 1_000_000) });
  large.close();
  for (let n = 0; n < 10_000; n++) {
    writeFileSync(logPath(folder, `log${n}`), text, { mode: 0o600 });
  }
  let turns = 0;
  let listing = true;
  const counting = (async () => {
    for (; listing; turns++) {
      await setImmediate();
    }
  })();
  const logs = await listLogs(folder);
  listing = false;
  await counting;
  assert.equal(logs.length, 10_001);
  assert.ok(logs.every(log => log.header?.id === 's'));
  assert.ok(turns > 3, `others had only ${turns} turns meanwhile`);
  const end = new AbortController();
  const aborted = listLogs(folder, end.signal);
  end.abort();
  await assert.rejects(aborted, { name: 'AbortError' });
  t.diagnostic(`${logs.length} logs, ${turns} turns for others`);
});

test('list: nothing is written into the folder', async t => {
  const folder = folderOf(t);
  createLog({ folder, name: 'a', header: HEADER }).close();
  const before = readdirSync(folder);
  chmodSync(folder, 0o500);
  try {
    assert.equal((await listLogs(folder)).length, 1);
  } finally {
    chmodSync(folder, 0o700);
  }
  assert.deepEqual(readdirSync(folder), before);
});
