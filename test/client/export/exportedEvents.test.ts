import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportedEvents } from '../../../client/export/exportedEvents.ts';
import { folderOf, HEADER, notes } from '../../local/kit.ts';
import { sessionOf } from '../views/kit.ts';

const lines = (...values: readonly unknown[]): string => values.map(value => `${JSON.stringify(value)}\n`).join('');

test('issue 4: of a log with a broken line the events before it are exported, and the person is told', async t => {
  const logFile = join(folderOf(t), 'a.jsonl');
  writeFileSync(logFile, `${lines(HEADER, ...notes(0, 3))}broken\n${lines(...notes(3, 5))}`);
  const { events, fault, withoutContent } = await exportedEvents(sessionOf([], { logFile }));
  assert.deepEqual(events, notes(0, 3));
  assert.equal(withoutContent, false);
  assert.match(fault ?? '', /^Event 3 of the log cannot be used/);
});

test('issue 4: where the log was deleted meanwhile, a session that is connected is asked, and of another one that is said', async t => {
  const logFile = join(folderOf(t), 'a.jsonl');
  writeFileSync(logFile, lines(HEADER, ...notes(0, 3)));
  const session = sessionOf([], { logFile });
  assert.deepEqual(await exportedEvents(session), { events: notes(0, 3), withoutContent: false });
  rmSync(logFile);
  const asked = await exportedEvents(session);
  assert.equal(asked.withoutContent, true);
  assert.deepEqual(asked.events, await session.history(0, session.state.nextSeq));
  const over = { ...session, link: { kind: 'ended', sentence: 'It is over.', since: 1 } } as const;
  await assert.rejects(exportedEvents(over), { code: 'ENOENT' });
});
