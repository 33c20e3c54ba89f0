import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetLimitError } from '../../../adapter/budget/budgetLimitError.ts';
import { PairingError } from '../../../adapter/requestErrors.ts';
import { DEFAULT_BUDGET } from '../../../local/budgetSettings.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import { call, definition, result, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession, foldOf, homeOf, typesOf } from '../session/sessionKit.ts';
import { budgetSession, CONFIG, converse, layerOn, talk, WORDS, words } from './budgetLayerKit.ts';

const BLOCK = { source: '/AGENTS.md', class: 'context-file', text: definition('rules', 'Use tabs.') } as const;

test('T-01 with the layer off, the sealed bytes are those of seed 1 alone', async t => {
  const hashesWith = async (budget: object | undefined) => {
    const config = { countTokens: true, ...(budget && { budget: budget as typeof DEFAULT_BUDGET }) };
    const checked = await checkedSession(t, { counter: WORDS, config });
    checked.session.loadSource(BLOCK);
    checked.session.inject(user('injected'), 'plugin');
    await converse(checked, talk(61, 40));
    const { events } = await checked.close();
    return { hashes: checked.sealed.map(({ hash }) => hash), types: new Set(typesOf(events)) };
  };
  const plain = await hashesWith(undefined);
  const off = await hashesWith({ ...DEFAULT_BUDGET, window: 100, task: 'Never shown.' });
  assert.deepEqual(off.hashes, plain.hashes);
  assert.ok([...off.types].every(type => !type.startsWith('budget/')));
  // While nothing has to be edited or told, the layer only measures.
  const idle = await hashesWith(layerOn({ window: 1_000_000 }));
  assert.deepEqual(idle.hashes, plain.hashes);
  assert.ok(idle.types.has('budget/measured'));
});

test('a long conversation is compressed, and each request is rebuilt from the log alone (I5)', async t => {
  const checked = await budgetSession(t);
  checked.session.loadSource(BLOCK);
  await converse(checked, talk(121, 13));
  const { events } = await checked.close();
  const { budget, requests } = foldOf(events);
  assert.ok(budget.compressions >= 2, `${budget.compressions} compressions`);
  assert.equal(budget.measures.length, requests.length);
  for (const measured of budget.measures) {
    const { tiers, host, unattributed, total, limits } = measured;
    const rows = Object.values(tiers).reduce((sum, { tokens }) => sum + tokens, host.tokens + unattributed.tokens);
    assert.equal(rows, total.tokens, 'rows and the rest add up to the total');
    assert.equal(total.tokens, requests.get(measured.requestSequence - 1)?.sealed.sizes?.total.tokens);
    assert.ok(total.tokens <= limits.hard, 'I4');
  }
});

test('what an edit changes in a request is told by the edit', async t => {
  const checked = await budgetSession(t);
  await converse(checked, talk(63, 13));
  const { events } = await checked.close();
  const edits = events.filter(({ type }) => type === 'budget/edit');
  assert.ok(edits.length > 0);
  const { requests } = foldOf(events);
  const changed = requests.toArray().flatMap(({ sealed }) => sealed.changes.filter(({ part }) => part === 'messages'));
  const causes = changed.flatMap(({ causes: seqs }) => seqs.map(seq => events[seq]?.type));
  assert.deepEqual(new Set(causes), new Set(['budget/edit']));
  const messages = events.filter(({ type, surfaceOp }) => type === 'host/message' && surfaceOp !== 'append');
  assert.deepEqual(new Set(messages.map(({ data }) => (data as { cause?: string }).cause)), new Set(['budget']));
});

test('T-39 the report is that of the log’s fold at the same event', async t => {
  const checked = await budgetSession(t);
  for (const length of [1, 31, 61]) {
    await checked.turn(talk(length, 13), { config: CONFIG });
    const { events } = await checked.file();
    assert.deepEqual(checked.session.usageReport(), usageReport(foldOf(events)));
    const report = checked.session.usageReport();
    const sealed = checked.session.state.requests.get(checked.sealed.length - 1)?.sealed;
    assert.equal(report?.total.tokens, sealed?.sizes?.total.tokens);
    assert.match(report?.text ?? '', new RegExp(`  Total:  ${report?.total.tokens} / 1000 `));
  }
});

test('a request above its limit is refused with its largest parts, and is in the log unsent', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  await checked.turn(talk(3, 5), { config: CONFIG });
  const asked = session.buildRequest({ messages: [...talk(4, 5), user(words(950, 'w'))], config: CONFIG });
  await assert.rejects(asked, (error: unknown) => {
    assert.ok(error instanceof BudgetLimitError);
    assert.match(
      error.message,
      /^Request 2 was not sent, because it takes 970 tokens and the limit is 900 \(nine tenths of the window; window 1,000, config\.json\)\. Largest parts: the last messages 950, older history 20\. Begin a new session/,
    );
    return true;
  });
  assert.equal(session.state.requests.length, 1);
  assert.equal(session.usageReport()?.status, 'CRITICAL');
  // The next one that fits goes out.
  await checked.turn(talk(5, 5), { config: CONFIG });
  assert.equal(session.usageReport()?.status, 'NORMAL');
  await checked.close();
});

test('tiers 7.2: where a person wants a warning instead, a request above its limit is sent', async t => {
  const checked = await budgetSession(t, { overLimit: 'warn' });
  await checked.turn([user(words(950, 'w'))], { config: CONFIG });
  const [measured] = await checked.logged('budget/measured');
  assert.equal(measured?.gate, 'warned');
  assert.equal(checked.session.usageReport()?.status, 'CRITICAL');
});

test('host parts count in the total and in no tier (T-05), with tools and a system prompt', async t => {
  const checked = await budgetSession(t);
  const tools = [{ name: 'bash', description: 'runs it' }];
  await checked.turn([user('one two three')], { config: CONFIG, system: 'be kind and brief', tools });
  const [measured] = await checked.logged('budget/measured');
  assert.equal(measured?.tiers.tier4.tokens, 3);
  assert.ok((measured?.host.tokens ?? 0) > 4);
  assert.equal(measured?.total.tokens, 3 + (measured?.host.tokens ?? 0) + (measured?.unattributed.tokens ?? 0));
});

test('an edit is made once: an instance that goes on shows what the one before showed', async t => {
  const folder = homeOf(t);
  const first = await budgetSession(t, {}, { folder, sessionId: 's' });
  const messages = talk(63, 13);
  await converse(first, messages);
  const shown = first.sealed.at(-1);
  await first.close();
  const second = await budgetSession(t, {}, { folder, sessionId: 's' });
  const sealed = await second.request(messages, { config: CONFIG });
  assert.deepEqual(sealed.messages, shown?.messages);
  const { events } = await second.close();
  const edits = events.filter(({ type }) => type === 'budget/edit');
  assert.ok(edits.every(({ seq }) => seq < (foldOf(events).requests.get(31)?.sealed.seq ?? 0)));
});

test('a log without content keeps no text of an edit, and an instance that goes on shows the messages themselves', async t => {
  const folder = homeOf(t);
  const options = { folder, sessionId: 's', config: { content: 'hashes' } } as const;
  const first = await budgetSession(t, {}, options);
  const messages = talk(63, 13);
  await converse(first, messages);
  const { events } = await first.close();
  const edits = events.filter(({ type }) => type === 'budget/edit');
  assert.ok(edits.length > 0);
  assert.ok(edits.every(({ data }) => (data as { message: unknown }).message === null));
  assert.ok(!JSON.stringify(events).includes('m0q0'), 'no text of a message is in the log');
  const second = await budgetSession(t, {}, options);
  const sealed = await second.request(messages.slice(0, 41), { config: CONFIG });
  assert.deepEqual(sealed.messages, messages.slice(0, 41));
  await second.close();
});

test('pairs of calls and results stay whole through compressions (T-15, I3)', async t => {
  const checked = await budgetSession(t);
  const messages = Array.from({ length: 40 }, (_, index) => [
    user(words(6, `q${index}`)),
    call(`c${index}`),
    result(`c${index}`, words(12, `r${index}`)),
    talk(2, 6, `t${index}`)[1] ?? assert.fail(),
  ]).flat();
  for (let length = 1; length <= messages.length; length += 4) {
    await checked.turn(messages.slice(0, length), { config: CONFIG });
    await checked.turn(messages.slice(0, length + 2), { config: CONFIG });
  }
  assert.ok(checked.session.state.budget.compressions > 0);
  await checked.close();
});

test('with the layer on, off and on again, each request is what its instance shows, and that is told', async t => {
  const folder = homeOf(t);
  const messages = talk(121, 15);
  const first = await budgetSession(t, {}, { folder, sessionId: 's' });
  await converse(first, messages.slice(0, 101));
  assert.ok(first.session.state.budget.edits.length > 0);
  await first.close();
  const off = await checkedSession(t, { folder, sessionId: 's' });
  assert.match(off.session.notices.join('\n'), /took out of this session before is in its requests again/);
  const whole = await off.turn(messages.slice(0, 103), { config: CONFIG });
  assert.deepEqual(whole.messages, messages.slice(0, 103), 'I1');
  await off.close();
  const again = await budgetSession(t, {}, { folder, sessionId: 's' });
  assert.deepEqual(again.session.notices, []);
  const edited = await again.turn(messages.slice(0, 105), { config: CONFIG });
  assert.ok(edited.messages.length < 60, 'the edits of before are in force again');
  await again.close();
  const uncounted = await budgetSession(t, {}, { folder, sessionId: 's', config: { countTokens: false } });
  assert.match(uncounted.session.notices.join('\n'), /tokens are not counted[^]*in its requests again/);
});

test('a request that cannot be sent because a call has no result leaves no pass and no edit', async t => {
  const checked = await budgetSession(t);
  const messages = talk(56, 13);
  await checked.turn(messages.slice(0, 3), { config: CONFIG });
  const torn = [...messages, result('nobody', 'asked')];
  await assert.rejects(checked.session.buildRequest({ messages: torn, config: CONFIG }), PairingError);
  assert.deepEqual(await checked.logged('budget/pass'), []);
  assert.deepEqual(await checked.logged('budget/edit'), []);
  assert.equal(checked.session.usageReport()?.compressions, 0);
});

test('T-11 a small request beside the conversation does not arm the next compression of it', async t => {
  const checked = await budgetSession(t);
  // Nothing but the last messages and a summary is left, and that stays above the trigger.
  const heavy = [...talk(40, 13), ...talk(20, 33, 'recent')];
  await checked.turn(heavy, { config: CONFIG });
  const passes = checked.session.state.budget.passes.length;
  assert.ok(passes > 0);
  assert.ok((checked.session.usageReport()?.total.tokens ?? 0) > 700);
  for (let turn = 0; turn < 3; turn++) {
    const side = await checked.session.buildRequest({ messages: [user(`a title, please ${turn}`)], config: CONFIG });
    checked.session.response(side.requestSequence, { outcome: 'completed' });
    const main = await checked.session.buildRequest({ messages: heavy, config: CONFIG });
    checked.session.response(main.requestSequence, { outcome: 'completed' });
  }
  assert.equal(checked.session.state.budget.passes.length, passes);
});
