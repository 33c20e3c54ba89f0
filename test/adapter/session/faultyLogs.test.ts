import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { definition, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, checkedSession, dataOf, homeOf } from './sessionKit.ts';

const SESSION = { sessionId: 'host-1' };
const BLOCK = definition('plan');

/** A log of two requests and its lines, each with its line end; the session is over. */
async function pastSession(
  t: TestContext,
): Promise<{ readonly folder: string; readonly path: string; readonly lines: readonly string[] }> {
  const folder = homeOf(t);
  const checked = await checkedSession(t, { folder, ...SESSION });
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: BLOCK });
  await checked.turn([user('a')]);
  await checked.turn([user('a'), user('b')]);
  const { path } = await checked.close();
  const lines = readFileSync(path, 'utf8').split(/(?<=\n)/);
  return { folder, path, lines };
}

/** Opens the session whose log cannot be gone on with, and checks that it forks with the events before the fault. */
async function assertForks(
  t: TestContext,
  { folder, path }: { readonly folder: string; readonly path: string },
  events: number,
  sentence: RegExp,
): Promise<Checked> {
  const before = readFileSync(path);
  const forked = await checkedSession(t, { folder, ...SESSION });
  assert.equal(forked.session.id, 'host-1~1');
  assert.equal(forked.session.notices.length, 1);
  assert.match(forked.session.notices[0] ?? '', sentence);
  assert.match(
    forked.session.notices[0] ?? '',
    /This session goes on as host-1~1, with a copy of what could be read\.$/,
  );
  await forked.turn([user('a'), user('c')]);
  const file = await forked.close();
  const copied = file.events.slice(0, events).map(event => JSON.stringify(event));
  const old = before.toString('utf8').split('\n');
  assert.deepEqual(copied, old.slice(1, 1 + events));
  assert.ok(file.events.slice(events).every(({ type }) => !type.startsWith('source/')));
  assert.deepEqual(readFileSync(path), before, 'nothing of the old file changed');
  return forked;
}

test('issue 3.4: a torn last line is dropped and reported, and the session goes on behind it', async t => {
  const { folder, path, lines } = await pastSession(t);
  const last = lines.at(-1) ?? '';
  truncateSync(path, readFileSync(path).length - 5);
  const before = readFileSync(path);
  const checked = await checkedSession(t, { folder, ...SESSION });
  assert.equal(checked.session.id, 'host-1');
  const sealed = await checked.turn([user('a'), user('b')]);
  assert.equal(sealed.requestSequence, 3);
  const { events, tornLines } = await checked.close();
  assert.equal(tornLines, 1);
  assert.deepEqual(dataOf(events, 'log/torn'), [{ bytes: Buffer.byteLength(last) - 5 }]);
  assert.deepEqual(readFileSync(path).subarray(0, before.length), before);
});

test('issue 3.4: a last line that lacks nothing but its line end counts for nothing either', async t => {
  const { folder, path } = await pastSession(t);
  truncateSync(path, readFileSync(path).length - 1);
  const checked = await checkedSession(t, { folder, ...SESSION });
  assert.equal(checked.session.id, 'host-1');
  await checked.turn([user('a')]);
  assert.equal(dataOf((await checked.close()).events, 'log/torn').length, 1);
});

test('issue 3.4: garbage in the middle: the session goes on as a fork with the events before it', async t => {
  const past = await pastSession(t);
  const { path, lines } = past;
  writeFileSync(path, [...lines.slice(0, 6), 'garbage \0\n', ...lines.slice(6)].join(''));
  await assertForks(t, past, 5, /^Event 5 of the log .*cannot be used: it is no JSON/);
});

test('issue 3.4: an unknown type that is required: the session goes on as a fork, and says that a newer version may know it', async t => {
  const past = await pastSession(t);
  const { path, lines } = past;
  appendFileSync(path, `${JSON.stringify({ type: 'future/thing', seq: lines.length - 1, time: 1, data: {} })}\n`);
  await assertForks(t, past, lines.length - 1, /its type "future\/thing" is unknown.*a newer version may know it/);
});

test('issue 3.4: an unknown type that may be passed over is passed over', async t => {
  const { folder, path, lines } = await pastSession(t);
  const event = { type: 'future/note', seq: lines.length - 1, time: 1, data: {}, ignorable: true };
  appendFileSync(path, `${JSON.stringify(event)}\n`);
  const checked = await checkedSession(t, { folder, ...SESSION });
  assert.deepEqual([checked.session.id, checked.session.notices], ['host-1', []]);
  assert.equal(checked.session.state.unknown, 1);
  await checked.turn([user('a')]);
  await checked.close();
});

test('issue 3.4: another version: nothing of the log is read, and the session goes on as a fork without a past', async t => {
  const past = await pastSession(t);
  const { path, lines } = past;
  const header = JSON.parse(lines[0] ?? '') as object;
  writeFileSync(path, [`${JSON.stringify({ ...header, version: 99 })}\n`, ...lines.slice(1)].join(''));
  await assertForks(
    t,
    past,
    0,
    /^The first line of this log cannot be used: .*version.* Nothing of the log was read\./,
  );
});

test('issue 3.4: an empty file is no log, and the session goes on as a fork', async t => {
  const past = await pastSession(t);
  writeFileSync(past.path, '');
  await assertForks(t, past, 0, /^The first line of this log cannot be used/);
});

test('issue 3.4: an event that contradicts those before it: the session goes on as a fork with the events before it', async t => {
  for (const [type, data] of [
    ['turn/start', { turn: 7, trigger: { kind: 'message', source: { kind: 'user' } } }],
    ['request/receipt', { requestSequence: 9, result: 'matched' }],
    ['request/sealed', { requestSequence: 3, stepStart: 0, hash: 'a'.repeat(64), bytes: 1, messages: 1, changes: [] }],
    ['request/header-delta', { system: { keepStart: 9, keepEnd: 9, insert: [] } }],
  ] as const) {
    const past = await pastSession(t);
    const { path, lines } = past;
    appendFileSync(path, `${JSON.stringify({ type, seq: lines.length - 1, time: 1, data })}\n`);
    await assertForks(t, past, lines.length - 1, new RegExp(`^Event ${lines.length - 1} of the log .*cannot be used`));
  }
});

test('issue 3.4: an event that should hold a message and holds none: the session goes on as a fork with the events before it', async t => {
  for (const message of [[], 'text', 1, undefined]) {
    const past = await pastSession(t);
    const { path, lines } = past;
    const event = { type: 'host/message', surfaceOp: 'append', seq: lines.length - 1, time: 1 };
    appendFileSync(path, `${JSON.stringify({ ...event, data: { message, units: [] } })}\n`);
    await assertForks(t, past, lines.length - 1, /its message is not a message in its agent's own form/);
  }
});

test('issue 3.4: a clock that goes back changes no order, and is counted', async t => {
  let now = 10_000;
  const checked = await checkedSession(t, { ...SESSION, now: () => now });
  await checked.turn([user('a')]);
  now = 5_000;
  await checked.turn([user('a'), user('b')]);
  assert.equal(checked.session.state.clockWentBack, 1);
  await checked.close();
});

test('issue 3.4: a folder that others can read is refused by name, and so is one that is a link', async t => {
  const { folder, path } = await pastSession(t);
  chmodSync(dirname(path), 0o755);
  await assert.rejects(
    openSession({ agent: 'test', folder, ...SESSION, config: { announce: false } }),
    (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'UnsafeFolderError');
      assert.ok(error.message.includes(join(folder, 'sessions')), error.message);
      return true;
    },
  );
});
