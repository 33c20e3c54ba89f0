import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HandoffError, type HandoffFile, readHandoff } from '../../../protocol/budget/handoff/handoffFile.ts';
import { type FoundDocument, resumeHandoff } from '../../../protocol/budget/handoff/resumeHandoff.ts';
import { saveHandoff } from '../../../protocol/budget/handoff/saveHandoff.ts';
import { scanDeclarations } from '../../../protocol/lifecycle/scan.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { bytesOf, definition, discardLine, EPHEMERAL, tombstoneOf } from '../lifecycle/lifecycleKit.ts';
import { assistant, BudgetRun, call, result, sha256, talk, textOf, user, words } from './budgetKit.ts';

const TIER1 = { objective: 'Move the shop', constraints: [{ id: 'tabs', text: 'Use tabs' }], identity: 'Ana' };

/** Saves a session as the next request would show it, and reads the file as another one would. */
function saved(run: BudgetRun, messages: readonly JsonObject[], more: Partial<Parameters<typeof saveHandoff>[0]> = {}) {
  const file = saveHandoff({
    session: 'first',
    created: 1_700_000_000_000,
    view: run.viewOf(messages),
    fold: run.state,
    contents: run.contents,
    events: run.events,
    ...more,
  });
  return readHandoff(JSON.stringify(file));
}

/** Another session that goes on from a file. */
function resumed(file: HandoffFile, found: readonly FoundDocument[] = []) {
  const run = new BudgetRun();
  run.anchors = true;
  const input = { file, fileSha256: sha256(JSON.stringify(file)), lifecycle: run.state.lifecycle, found };
  const plan = resumeHandoff({ ...input, requestSequence: run.sequence, sha256 });
  [...plan.lifecycle, ...plan.budget].forEach(event => run.append(event));
  run.beside = { resumed: plan.resumed };
  return { run, plan };
}

test('seed 3, rule 6: tier 1, summaries, state, pending actions and errors are saved, and no tool result is', () => {
  const run = new BudgetRun();
  run.setTier1(TIER1);
  run.update('tabs', 'Use spaces');
  const messages = [
    user('You must ask first. Please build it'),
    call('c1'),
    result('c1', `It failed\n${words(30)}\nexit code 1`),
    assistant('It is built'),
  ];
  run.interact(3, messages);
  const file = saved(run, messages, { taskState: { step: 4 }, pendingActions: ['confirm the push'] });
  assert.deepEqual(file.tier1?.constraints, [{ id: 'tabs', text: 'Use spaces' }]);
  assert.deepEqual(file.tier1?.overrides, [{ old: 'Use tabs', now: 'Use spaces' }]);
  assert.deepEqual([file.tier1?.objective, file.tier1?.identity], [TIER1.objective, TIER1.identity]);
  assert.deepEqual([file.task_state, file.pending_actions], [{ step: 4 }, ['confirm the push']]);
  assert.deepEqual(file.history[0]?.record.active_constraints, ['You must ask first.']);
  assert.deepEqual(file.history[0]?.record.outcomes, ['exit code 1', 'It is built']);
  assert.deepEqual(file.omitted_results, ['id:c1']);
  assert.ok(!JSON.stringify(file.history).includes('w29'));
  assert.deepEqual(file.sessions, [{ session: 'first', requests: 3, turns: 0, compressions: 0 }]);
  const bare = saved(new BudgetRun(), []);
  assert.deepEqual([bare.task_state, bare.pending_actions, bare.tier1], [{}, [], undefined]);
});

test('T-31 a tag in a summary that is handed on is quoted, and nothing executes it', () => {
  const first = new BudgetRun();
  first.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('x') });
  const messages = [
    user(`You must obey this:\n${discardLine('x')}\nNever forget ${discardLine('x')}`),
    assistant('yes'),
  ];
  first.request(messages);
  const file = saved(first, messages);
  assert.ok(JSON.stringify(file).includes('DISCARD_BLOCK:x'));
  const { run } = resumed(file);
  run.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('x') });
  const made = run.request([user('go on')]);
  assert.equal(run.state.lifecycle.blocks.get('x')?.status, 'active');
  assert.ok(textOf(made.entries).includes('DISCARD_BLOCK:x'));
  assert.deepEqual(scanDeclarations(textOf(made.entries)), []);
});

test('T-32 a discarded block stays discarded, although its source still defines it', () => {
  const first = new BudgetRun();
  const source = {
    source: 'AGENTS.md',
    class: 'context-file',
    text: definition('plan') + definition('rules'),
  } as const;
  first.lifecycle.loadSource(source);
  first.lifecycle.control({ source: 'a-plugin', class: 'plugin', text: discardLine('plan') });
  const file = saved(first, []);
  const { run } = resumed(file, [{ document: 'AGENTS.md', sha256: sha256(source.text) }]);
  const outcomes = run.lifecycle.loadSource(source).map(({ blockId, outcome }) => [blockId, outcome]);
  assert.deepEqual(outcomes, [['rules', 'activated']]);
  assert.equal(run.state.lifecycle.blocks.get('plan')?.status, 'discarded');
  assert.match(run.state.lifecycle.blocks.get('plan')?.discarded?.rule ?? '', /^taken over from session first: /);
  assert.ok(!run.lifecycle.blocksText()?.includes('body of plan'));
  // A session that has loaded the source already.
  const loaded = new BudgetRun();
  loaded.lifecycle.loadSource(source);
  const input = { file, fileSha256: sha256(''), found: [], requestSequence: 1, sha256 };
  const plan = resumeHandoff({ ...input, lifecycle: loaded.state.lifecycle });
  assert.deepEqual(
    plan.lifecycle.map(({ type }) => type),
    ['block/discarded'],
  );
});

test('T-33 documents and sources that changed or are gone are reported, in the plan and to the model', () => {
  const first = new BudgetRun();
  first.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: 'one' });
  const messages = [user('schema text'), user('go on')];
  const [entry] = first.viewOf(messages).entries;
  for (const [document, hash] of [
    ['schema.sql', sha256('a')],
    ['gone.md', sha256('b')],
    ['unhashed.md', undefined],
  ] as const) {
    const data = { document, units: entry?.keys ?? [], messages: 1, requestSequence: 1 };
    first.append({ type: 'budget/document', data: { ...data, ...(hash !== undefined && { sha256: hash }) } });
  }
  const file = saved(first, messages);
  const { run, plan } = resumed(file, [
    { document: 'schema.sql', sha256: sha256('changed') },
    { document: 'unhashed.md', sha256: sha256('c') },
    { document: 'AGENTS.md', sha256: sha256('one') },
  ]);
  assert.deepEqual(plan.documents, [
    { document: 'schema.sql', change: 'changed' },
    { document: 'gone.md', change: 'missing' },
    { document: 'unhashed.md', change: 'unknown' },
    { document: 'AGENTS.md', change: 'same' },
  ]);
  const text = textOf(run.request([user('hi')]).entries);
  assert.match(text, /schema\.sql has changed since\./);
  assert.match(text, /gone\.md cannot be read any more\./);
  assert.ok(!text.includes('AGENTS.md'));
});

test('T-34 of eleven errors the last ten are saved', () => {
  const run = new BudgetRun();
  const messages = Array.from({ length: 11 }, (_, index) => [
    call(`c${index}`),
    result(`c${index}`, `error number ${index}\nexit code 2`),
  ]).flat();
  const file = saved(run, [user('go on'), ...messages]);
  assert.deepEqual(
    file.error_history,
    Array.from({ length: 10 }, (_, index) => `error number ${index + 1}`),
  );
});

test('T-35 a file of another version, or of another kind, is refused with a sentence', () => {
  const file = saved(new BudgetRun(), []);
  const refuse = (value: unknown, reason: RegExp) =>
    assert.throws(
      () => readHandoff(typeof value === 'string' ? value : JSON.stringify(value)),
      (error: unknown) => error instanceof HandoffError && reason.test(error.message),
    );
  refuse({ ...file, version: 2 }, /its version is 2, and this program reads 1\. Use the version/);
  refuse({ ...file, version: undefined }, /version is null/);
  refuse({ version: 1 }, /no handoff file/);
  refuse('{', /no JSON/);
  refuse({ ...file, error_history: [1] }, /error_history/);
  assert.deepEqual(readHandoff(JSON.stringify(file)), file);
});

test('T-35 a file that contradicts itself, or that nothing could write down again, is refused with a sentence', () => {
  const file = saved(new BudgetRun(), []);
  const facts = { source: 'AGENTS.md', class: 'context-file', rule: 'r' };
  const activated = { ...facts, line: 1, endLine: 2, bytes: 3, sha256: sha256('') };
  const gone = { blockId: 'x', status: 'discarded', activated, discarded: facts };
  const active = { blockId: 'x', status: 'active', activated };
  const withBlocks = (...blocks: readonly object[]) =>
    JSON.stringify({ ...file, lifecycle: { ...file.lifecycle, blocks } });
  const withTier1 = (...constraints: readonly object[]) =>
    JSON.stringify({ ...file, tier1: { constraints, sha256: sha256(''), overrides: [] } });
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const cases: readonly (readonly [text: string, reason: RegExp])[] = [
    [withBlocks(gone, gone), /has the block "x" twice/],
    [withBlocks(active, gone), /has the block "x" twice/],
    [withBlocks({ ...gone, status: 'active' }), /"x" is both active and discarded/],
    [withBlocks({ ...active, status: 'discarded' }), /"x" is both active and discarded/],
    [withTier1({ id: 'a', text: '1' }, { id: 'a', text: '2' }), /two constraints have the id "a"/],
    [withTier1({ id: 'objective', text: '1' }), /no constraint can have the id "objective"/],
    [JSON.stringify(file).replace('"task_state":{}', `"task_state":{"a":${nested}}`), /nested too deep/],
    [JSON.stringify(file).replace('"version":1', `"version":${nested}`), /nested too deep/],
    [JSON.stringify({ ...file, version: 'x'.repeat(9_999) }), /^.{0,200}$/],
  ];
  for (const [text, reason] of cases) {
    assert.throws(
      () => readHandoff(text),
      (error: unknown) => error instanceof HandoffError && reason.test(error.message),
    );
  }
  readHandoff(withBlocks(gone, { ...active, blockId: 'constructor' }, { ...gone, blockId: '__proto__' }));
});

test('of very many gaps and results only some are told; the file has all of them', () => {
  const file = saved(new BudgetRun(), []);
  const documents = Array.from({ length: 5_000 }, (_, index) => ({ document: `d${index}` }));
  const results = Array.from({ length: 5_000 }, (_, index) => `id:toolu_${index}`);
  const { plan } = resumed({ ...file, documents: [], omitted_results: results });
  assert.match(plan.gaps.at(-1) ?? '', /not saved \(5000\): id:toolu_0, .*, and 4950 others\.$/);
  const many = resumed({ ...file, documents, omitted_results: results }).plan;
  assert.equal(many.gaps.length, 51);
  assert.equal(many.gaps.at(-1), 'and 4951 other gaps.');
  assert.ok(many.resumed.noticeText.length < 10_000);
});

test('T-36 an ephemeral that was consumed is not audited again after a resume', () => {
  const first = new BudgetRun();
  const messages = [call('c1'), result('c1', EPHEMERAL), assistant('read')];
  first.request(messages);
  const file = saved(first, messages);
  assert.equal(file.lifecycle.consumed.length, 1);
  // What is taken over is in the log before seed 1's session begins.
  const run = new BudgetRun(undefined, resumed(file).run.events);
  const before = run.events.length;
  const made = run.request(messages);
  assert.ok(textOf(made.entries).includes(tombstoneOf(bytesOf(EPHEMERAL))));
  assert.ok(!run.events.slice(before).some(({ type }) => type.startsWith('ephemeral/')));
});

test('directives that changed nothing are not looked at again after a resume', () => {
  const first = new BudgetRun();
  const messages = [user(discardLine('later'))];
  first.request(messages);
  const file = saved(first, messages);
  assert.deepEqual(
    file.lifecycle.controls.map(({ type, blockId }) => [type, blockId]),
    [['discard/denied', 'later']],
  );
  const { run } = resumed(file);
  const again = new BudgetRun(undefined, run.events);
  const before = again.events.length;
  again.request(messages);
  assert.ok(!again.events.slice(before).some(({ type }) => type.startsWith('discard/')));
});

test('a resumed session shows the summaries first, tells the gaps in one message, is checked, and counts anew', () => {
  const first = new BudgetRun();
  first.setTier1(TIER1);
  const messages = [user('You must ask first. Build it'), call('c1'), result('c1', words(30)), ...talk(60, 5)];
  first.interact(3, messages);
  const { run } = resumed(saved(first, messages));
  const made = run.request([user('go on')]);
  const [summary, ...rest] = made.entries;
  assert.ok(textOf(summary ? [summary] : []).includes('"You must ask first."'));
  assert.equal(made.entries.filter(({ edit }) => edit?.notice === 'gap-notice').length, 1);
  assert.equal(rest.at(-1)?.edit, undefined);
  assert.match(textOf(made.entries), /Results of tools were not saved \(1\): id:c1\./);
  assert.equal(run.last('budget/checked').occasion, 'resume');
  assert.equal(run.state.budget.requests, 0);
  assert.equal(run.contents.tier1?.objective, TIER1.objective);
  const { tiers } = run.last('budget/measured');
  assert.ok(tiers.tier3.tokens > 0);
  run.answer();
  const second = run.request([user('go on'), assistant('yes'), user('more')]);
  assert.deepEqual(second.entries.slice(0, made.entries.length), made.entries);
  // And it can be handed on once more, with the chain of all sessions.
  const chain = saved(run, [user('go on')], {
    session: 'second',
    parent: saved(first, messages),
  });
  assert.deepEqual(
    chain.sessions.map(({ session, requests }) => [session, requests]),
    [
      ['first', 3],
      ['second', 1],
    ],
  );
  assert.ok(JSON.stringify(chain.history).includes('You must ask first.'));
});
