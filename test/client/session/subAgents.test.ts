import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { parentOf, withSubAgents } from '../../../client/session/subAgents.ts';
import { blockRows } from '../../../client/views/blockRows.ts';
import { sessionRows } from '../../../client/views/sessionRows.ts';
import { readLog } from '../../../local/logFile.ts';
import type { LogHeader } from '../../../protocol/log/sessionEvents.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';
import { drawingOf, sessionOf, sessionsOf } from '../views/kit.ts';

const session = (id: string, more: Partial<LogHeader> = {}) =>
  sessionOf([], { key: id, header: { version: 1, id, agent: 'claude-code', cwd: '/work/to-do', created: 1, ...more } });
const child = (id: string, parentSession: string) => session(id, { parentSession, subAgent: true });
const ids = (all: readonly { readonly key: string }[]) => all.map(({ key }) => key);

test('issue 5: a sub-agent stands behind its parent and says whose it is', () => {
  const all = withSubAgents([child('two/a', 'two'), session('one'), child('two/b', 'two'), session('two')]);
  assert.deepEqual(ids(all), ['one', 'two', 'two/a', 'two/b']);
  const described = (rows: readonly { readonly description?: string }[]) => rows.map(({ description }) => description);
  assert.deepEqual(described(sessionRows(sessionsOf(...all), drawingOf('session'))), [
    'connected · shown in editors · one',
    'connected · two',
    'sub-agent of claude-code · to-do · connected · two/a',
    'sub-agent of claude-code · to-do · connected · two/b',
  ]);
  const [, , row] = blockRows(sessionsOf(...all), drawingOf('blocks'));
  assert.equal(row?.description, 'sub-agent of claude-code · to-do · connected · two/a');
  assert.equal(row?.spoken, 'Session claude-code · to-do · sub-agent of claude-code · to-do, connected.');
});

test('issue 5: a parent that is not shown is named by its id; a copy, and the same name of another agent, is no parent', () => {
  const lonely = child('x', 'gone');
  assert.equal(parentOf(lonely, [lonely, session('one')]), undefined);
  const [row] = sessionRows(sessionsOf(lonely), drawingOf('session'));
  assert.equal(row?.description, 'sub-agent of gone · connected · x');
  const copy = session('copy', { parentSession: 'one' });
  assert.equal(parentOf(copy, [copy, session('one')]), undefined);
  assert.deepEqual(ids(withSubAgents([copy, session('one')])), ['copy', 'one']);
  const other = session('gone', { agent: 'codex' });
  assert.equal(parentOf(lonely, [lonely, other]), undefined);
});

test('issue 5: sessions that call each other their parents are all shown, once', () => {
  const all = withSubAgents([child('a', 'b'), child('b', 'a'), child('c', 'c')]);
  assert.deepEqual(ids(all).toSorted(), ['a', 'b', 'c']);
});

test('issue 5: the log of a sub-agent names its parent and says that it is no copy', async t => {
  const folder = privateFolder(t);
  const open = { agent: 'test', cwd: '/work', folder };
  const made = await openSession({ ...open, sessionId: 'p/child', parent: 'p' });
  await made.close();
  const { header } = await readLog(made.logFile);
  assert.deepEqual([header?.parentSession, header?.subAgent], ['p', true]);
  const fork = await openSession({ ...open, sessionId: 'fork', forkedFrom: 'p/child' });
  await fork.close();
  const forked = (await readLog(fork.logFile)).header;
  assert.deepEqual([forked?.parentSession, forked?.subAgent], ['p/child', undefined]);
});
