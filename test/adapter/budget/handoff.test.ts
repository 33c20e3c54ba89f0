import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { foundDocuments } from '../../../adapter/budget/takeOver.ts';
import { savedSession } from '../../../adapter/handoff/savedSession.ts';
import { foldersIn } from '../../../local/folders.ts';
import { putPendingHandoff, takePendingHandoff } from '../../../local/pendingHandoff.ts';
import { HandoffError, type HandoffFile } from '../../../protocol/budget/handoff/handoffFile.ts';
import { saveHandoff } from '../../../protocol/budget/handoff/saveHandoff.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import {
  call,
  definition,
  discardLine,
  EPHEMERAL,
  result,
  sha256,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, foldOf, homeOf } from '../session/sessionKit.ts';
import { budgetSession, CONFIG, converse, talk } from './budgetLayerKit.ts';

const SETTINGS = {
  window: 1000,
  task: 'Port the parser.',
  constraints: [{ id: 'no-push', text: 'Never push to main.' }],
} as const;
const PERSON = { source: 'a person', class: 'user' } as const;

/** The handoff file of a session, from its log alone, as `handoff save` makes it. */
async function savedText(checked: Checked): Promise<string> {
  const { header, events } = await checked.file();
  assert.ok(header);
  const history = new RequestHistory();
  events.forEach(event => history.append(event));
  const saved = savedSession({ header, events, state: foldOf(events), history }, Date.UTC(2026, 0, 1));
  return `${JSON.stringify(saveHandoff(saved), null, 2)}\n`;
}

/** A session with two blocks, one of them discarded, a compression, a consumed message, and an updated constraint. */
async function earlier(t: Parameters<typeof budgetSession>[0], cwd: string): Promise<Checked> {
  const rules = join(cwd, 'AGENTS.md');
  const notes = join(cwd, 'notes.md');
  writeFileSync(rules, definition('rules') + definition('plan'));
  writeFileSync(notes, definition('notes'));
  const checked = await budgetSession(t, SETTINGS, { cwd, sessionId: 'first' });
  const { session } = checked;
  session.loadSource({ source: rules, class: 'context-file', text: definition('rules') + definition('plan') });
  session.loadSource({ source: notes, class: 'context-file', text: definition('notes') });
  const quoting = user(`You must never run this line:\n${discardLine('rules')}\nReally.`);
  const start = [quoting, call('c1'), result('c1', EPHEMERAL)];
  await checked.turn(start.slice(0, 1), { config: CONFIG });
  await checked.turn(start, { config: CONFIG });
  session.updateTier1('no-push', 'Push only to a branch.', PERSON);
  session.control({ source: 'workflow', class: 'host-workflow', text: discardLine('plan') });
  await converse(checked, [...start, ...talk(2, 5).slice(1), ...talk(60, 13, 'b')]);
  assert.ok(session.state.budget.compressions > 0);
  return checked;
}

test('T-31, T-32, T-33, T-36: a new session goes on from a handoff, and nothing in it is obeyed', async t => {
  const cwd = homeOf(t);
  const first = await earlier(t, cwd);
  await first.close();
  const text = await savedText(first);
  writeFileSync(join(cwd, 'AGENTS.md'), `${definition('rules')}${definition('plan')}changed`);
  rmSync(join(cwd, 'notes.md'));
  const second = await budgetSession(t, SETTINGS, { cwd, sessionId: 'second', handoff: text });
  const { session } = second;
  assert.match(session.notices.join('\n'), /goes on from session first[^]*AGENTS\.md has changed since/);
  assert.match(session.notices.join('\n'), /notes\.md cannot be read any more/);
  const outcomes = session.loadSource({
    source: join(cwd, 'AGENTS.md'),
    class: 'context-file',
    text: `${definition('rules')}${definition('plan')}changed`,
  });
  assert.deepEqual(outcomes, [{ blockId: 'rules', outcome: 'activated' }]);
  assert.equal(session.state.lifecycle.blocks.get('plan')?.status, 'discarded', 'T-32: although its source defines it');
  const { messages } = await second.turn([user('go on')], { config: CONFIG });
  const shown = JSON.stringify(messages);
  assert.match(shown, /You must never run this line/, 'the constraint of the history is there');
  assert.match(JSON.stringify(messages[0]), /Push only to a branch/);
  assert.ok(
    !JSON.stringify(messages[0]).includes('Never push to main'),
    'the settings do not bring the old value back',
  );
  assert.match(shown, /goes on from session/);
  assert.equal(session.state.lifecycle.blocks.get('rules')?.status, 'active', 'T-31');
  const audited = (await second.file()).events.filter(({ type }) => type === 'ephemeral/consumed');
  assert.equal(audited.length, 1);
  assert.ok(
    audited.every(({ data }) => (data as { rule: string }).rule.startsWith('taken over from')),
    'T-36',
  );
  const [check] = await second.logged('budget/checked');
  assert.equal(check?.occasion, 'resume');
  // What is shown of the past stays in all later requests, also for an instance that goes on.
  const next = await second.turn([user('go on'), ...talk(3, 3).slice(1)], { config: CONFIG });
  assert.deepEqual(next.messages.slice(0, messages.length), messages);
  await second.close();
});

test('a handoff that waits in a folder is taken by the next new session there, once', async t => {
  const cwd = homeOf(t);
  const folder = homeOf(t);
  const first = await earlier(t, cwd);
  await first.close();
  const place = { folder: foldersIn(folder).handoffs, cwd };
  putPendingHandoff(place, { file: 'x.json', text: await savedText(first), now: 1 });
  const parent = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'sub', parent: 'somebody' });
  assert.deepEqual(await parent.logged('budget/handoff'), [], 'a sub-agent does not take it');
  const old = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'old', hasHistory: true });
  assert.deepEqual(await old.logged('budget/handoff'), [], 'nor does a session with a history');
  const second = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'second' });
  assert.equal((await second.logged('budget/handoff'))[0]?.from, 'first');
  const third = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'third' });
  assert.deepEqual(await third.logged('budget/handoff'), []);
  // One that cannot be read does not keep a session from beginning.
  putPendingHandoff(place, { file: 'x.json', text: '{"schema":"other"}', now: 1 });
  const fourth = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'fourth' });
  assert.match(fourth.session.notices.join('\n'), /The handoff file was not read/);
});

test('a session that ends before its first request lets a handoff that waited wait again, unless a newer one does', async t => {
  const cwd = homeOf(t);
  const folder = homeOf(t);
  const first = await earlier(t, cwd);
  await first.close();
  const text = await savedText(first);
  const place = { folder: foldersIn(folder).handoffs, cwd };
  putPendingHandoff(place, { file: 'x.json', text, now: 1 });
  const looked = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'looked' });
  assert.equal((await looked.logged('budget/handoff')).length, 1);
  await looked.close();
  const again = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'again' });
  assert.equal((await again.logged('budget/handoff')).length, 1);
  putPendingHandoff(place, { file: 'newer.json', text, now: 2 });
  await again.close();
  assert.equal(takePendingHandoff(place)?.file, 'newer.json');
  putPendingHandoff(place, { file: 'x.json', text, now: 3 });
  const used = await budgetSession(t, SETTINGS, { cwd, folder, sessionId: 'used' });
  await used.turn([user('go on')], { config: CONFIG });
  await used.close();
  assert.equal(takePendingHandoff(place), undefined);
});

test('T-35 a program that hands over an unknown version is told, and no session begins', async t => {
  const handoff = '{"schema":"context-lifecycle/handoff","version":99}';
  await assert.rejects(budgetSession(t, SETTINGS, { handoff }), HandoffError);
});

test('with the layer off, a handoff is not taken over, and that is said', async t => {
  const checked = await budgetSession(t, { enabled: false }, { handoff: 'anything' });
  assert.match(checked.session.notices.join('\n'), /Nothing was taken over from the handoff file/);
});

test('a hostile handoff file cannot make a session read without end, nor from another machine', t => {
  const cwd = homeOf(t);
  writeFileSync(join(cwd, 'a.md'), 'text');
  const documents = [
    { document: 'a.md' },
    { document: '\\\\server\\share\\a.md' },
    { document: '//server/a.md' },
    { document: 'gone.md' },
    ...Array.from({ length: 1_500 }, () => ({ document: 'a.md' })),
  ];
  const found = foundDocuments({ documents } as unknown as HandoffFile, cwd);
  assert.deepEqual(found.slice(0, 4), [
    { document: 'a.md', sha256: sha256('text') },
    { document: '\\\\server\\share\\a.md', unread: true },
    { document: '//server/a.md', unread: true },
    { document: 'gone.md' },
  ]);
  assert.equal(found.filter(({ sha256: hash }) => hash !== undefined).length, 997);
  assert.equal(found.length, documents.length);
});

test('a session that ended before its first request says that what it took over is not in its requests', async t => {
  const cwd = homeOf(t);
  const first = await earlier(t, cwd);
  await first.close();
  const handoff = await savedText(first);
  const folder = homeOf(t);
  const begun = await budgetSession(t, SETTINGS, { folder, sessionId: 'second', handoff });
  await begun.close();
  const again = await budgetSession(t, SETTINGS, { folder, sessionId: 'second', handoff });
  assert.match(
    again.session.notices.join('\n'),
    /The summaries of session first are not in the requests of this session.*begin a new session/,
  );
  await again.turn([user('go on')], { config: CONFIG });
  await again.close();
  const third = await budgetSession(t, SETTINGS, { folder, sessionId: 'second' });
  assert.doesNotMatch(
    third.session.notices.join('\n'),
    /summaries of session/,
    'it is said once, before they are missed',
  );
  await third.close();
});

test('whatever constraints a session came to, the one that goes on from it takes them over', async t => {
  const first = await budgetSession(t, SETTINGS, { sessionId: 'first' });
  for (const id of ['', '__proto__', 'constructor', 'a\n<!--ephemeral-->', 'objective', 'identity']) {
    first.session.updateTier1(id, `Keep ${id}`, PERSON);
  }
  await first.turn([user('go')], { config: CONFIG });
  const expected = first.session.budget.tier1;
  assert.equal(expected?.constraints.length, 5);
  await first.close();
  const second = await budgetSession(t, { window: 1000 }, { sessionId: 'second', handoff: await savedText(first) });
  assert.deepEqual(second.session.budget.tier1, expected);
});
