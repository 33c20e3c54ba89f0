import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVER_NOTE, type ServerNoteParams } from '../../protocol/lifecycle/editorRequests.ts';
import { LspProcess } from './lspProcess.ts';

/** A server whose clock runs `step` milliseconds each time that somebody looks at it. */
async function withClock(step: number): Promise<LspProcess> {
  const clock = `let now = 0; performance.now = () => (now += ${step});`;
  return LspProcess.start({ nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(clock)}`] });
}

test('a quick check is no news', async () => {
  await using server = await withClock(49);
  await server.open('untitled:a.md', 'text');
  await server.pull('untitled:a.md');
  assert.deepEqual(server.log, []);
});

test('a check of more than 50 ms is a log line, and no note', async () => {
  await using server = await withClock(51);
  await server.open('untitled:a.md', 'text');
  await server.pull('untitled:a.md');
  assert.deepEqual(server.log, ['Checking untitled:a.md took 51 ms (4 characters).']);
  assert.ok(!server.notifications.some(({ method }) => method === SERVER_NOTE));
});

test('a check of more than 500 ms is a note, which goes when the document closes', async () => {
  await using server = await withClock(501);
  await server.open('untitled:a.md', 'text');
  await server.pull('untitled:a.md');
  const { text } = await server.notified<ServerNoteParams>(SERVER_NOTE);
  assert.equal(text, 'Checking a.md takes 501 ms after each change: the file is very large.');
  const from = server.notifications.length;
  await server.close('untitled:a.md');
  assert.equal((await server.notified<ServerNoteParams>(SERVER_NOTE, () => true, from)).text, null);
});
