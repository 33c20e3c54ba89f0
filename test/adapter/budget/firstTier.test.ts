import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UnloggableEventError } from '../../../adapter/requestErrors.ts';
import type { Sealed } from '../../../adapter/sessionTypes.ts';
import type { Tier1 } from '../../../protocol/budget/tier1.ts';
import { SOURCE_CLASSES } from '../../../protocol/lifecycle/policy.ts';
import { definition, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, foldOf, homeOf } from '../session/sessionKit.ts';
import { budgetSession, CONFIG, talk } from './budgetLayerKit.ts';

const PERSON = { source: 'a person', class: 'user' } as const;
const SETTINGS = {
  window: 10_000,
  task: 'Port the parser.',
  constraints: [{ id: 'no-push', text: 'Never push to main.' }],
} as const;

const textOf = (messages: readonly unknown[]) => JSON.stringify(messages);

/** What stands before the history: here the first tier's message, then the blocks' message. */
function prefixOf({ messages }: Sealed, count: number): string {
  return textOf(messages.slice(0, count));
}

/** A request for each of so many interactions. */
async function interact(checked: Checked, count: number): Promise<void> {
  const before = checked.sealed.length;
  for (let turn = before; turn < before + count; turn++) {
    await checked.turn(talk(turn * 2 + 1, 2), { config: CONFIG });
  }
}

test('the first tier of the settings stands in the prefix, in front of the blocks', async t => {
  const checked = await budgetSession(t, { ...SETTINGS, identity: 'A reviewer.', outputFormat: 'Plain text.' });
  checked.session.loadSource({ source: '/AGENTS.md', class: 'context-file', text: definition('rules') });
  const { messages } = await checked.turn([user('go')], { config: CONFIG });
  assert.deepEqual(
    messages[0],
    user(
      'What always holds in this session:\nTask: "Port the parser."\nConstraint "no-push": "Never push to main."\nIdentity: "A reviewer."\nOutput format: "Plain text."',
    ),
  );
  assert.match(textOf([messages[1]]), /BLOCK_ID:rules/);
  const [measured] = await checked.logged('budget/measured');
  assert.ok((measured?.tiers.tier1.tokens ?? 0) >= 15);
  const [set] = await checked.logged('budget/tier1-set');
  assert.equal(set?.reason, 'set');
});

test('T-28 the prefix is the same across an update and an anchor; T-29 the update is told once, with both values', async t => {
  const checked = await budgetSession(t, SETTINGS);
  await interact(checked, 2);
  assert.equal(checked.session.updateTier1('no-push', 'Push only to a branch.', PERSON), 'updated');
  assert.equal(checked.session.updateTier1('no-push', 'Push only to a branch.', PERSON), 'unchanged');
  await interact(checked, 50);
  const prefixes = new Set(checked.sealed.map(sealed => prefixOf(sealed, 1)));
  assert.equal(prefixes.size, 1);
  const last = textOf(checked.sealed.at(-1)?.messages ?? []);
  assert.equal(last.split('Superseded:').length, 2, 'told once');
  assert.match(last, /is now .*Push only to a branch.* It was .*Never push to main/);
  assert.match(last, /The task, restated after 50 interactions/);
  assert.deepEqual(checked.session.budget.tier1?.constraints, [{ id: 'no-push', text: 'Push only to a branch.' }]);
  const [updated] = await checked.logged('budget/tier1-updated');
  assert.deepEqual([updated?.old, updated?.new], ['Never push to main.', 'Push only to a branch.']);
  // T-43: nothing drifted, so nothing is said to have.
  assert.deepEqual(await checked.logged('budget/drift'), []);
});

test('T-41 anchors after 50 and 100 interactions, with the check after 100 in one message', async t => {
  const checked = await budgetSession(t, SETTINGS);
  await interact(checked, 101);
  const anchors = (await checked.logged('budget/edit')).filter(({ notice }) => notice === 'anchor');
  assert.deepEqual(
    anchors.map(({ interactions }) => interactions),
    [50, 100],
  );
  const [check, ...others] = await checked.logged('budget/checked');
  assert.equal(others.length, 0);
  assert.equal(check?.interactions, 100);
  const found = new Map(check?.results.map(({ check: name, result }) => [name, result]));
  assert.equal(found.get('tier1-hash'), 'ok');
  assert.ok([...found.values()].includes('not-evaluated'), 'T-20');
});

test('a rebase writes the updates into the prefix, and the header says why', async t => {
  const checked = await budgetSession(t, SETTINGS);
  await interact(checked, 1);
  assert.equal(checked.session.rebasePrefix(PERSON), 'unchanged');
  checked.session.updateTier1('objective', 'Port the scanner.', PERSON);
  assert.equal(checked.session.rebasePrefix(PERSON), 'rebased');
  await interact(checked, 1);
  const messages = checked.sealed.at(-1)?.messages ?? [];
  assert.match(textOf([messages[0]]), /Port the scanner/);
  assert.ok(!textOf(messages.slice(1)).includes('Superseded'), 'the prefix says it already');
  const { events } = await checked.close();
  const change = foldOf(events)
    .requests.get(1)
    ?.sealed.changes.find(({ part }) => part === 'prefix');
  assert.deepEqual(
    change?.causes.map(seq => events[seq]?.type),
    ['budget/tier1-set'],
  );
});

test('T-30 only a user, an editor and the host’s workflow change the first tier; the others are denied and audited', async t => {
  const checked = await budgetSession(t, SETTINGS);
  await interact(checked, 1);
  const { session } = checked;
  for (const sourceClass of SOURCE_CLASSES) {
    const asker = { source: 'x', class: sourceClass };
    const may = sourceClass === 'user' || sourceClass === 'editor' || sourceClass === 'host-workflow';
    assert.equal(session.updateTier1('no-push', `by ${sourceClass}`, asker), may ? 'updated' : 'denied', sourceClass);
    assert.equal(session.setTier1({ constraints: [] }, asker), may);
  }
  const denied = await checked.logged('budget/tier1-denied');
  assert.equal(new Set(denied.map(({ class: name }) => name)).size, SOURCE_CLASSES.length - 3);
});

test('a first tier that is set after the first request leaves the prefix as it is', async t => {
  const checked = await budgetSession(t, { window: 10_000 });
  await interact(checked, 1);
  const tier1 = { objective: 'Port the parser.', constraints: [{ id: 'a', text: 'Never push.' }] };
  assert.equal(checked.session.setTier1(tier1, PERSON), true);
  await interact(checked, 1);
  const [first, second] = checked.sealed;
  assert.deepEqual(second?.messages[0], first?.messages[0]);
  assert.match(
    textOf(second?.messages.slice(-1) ?? []),
    /New: the objective is .*Port the parser.*New: the constraint/,
  );
  assert.deepEqual(checked.session.budget.tier1, tier1);
  assert.equal(checked.session.setTier1({ constraints: [] }, PERSON), true);
  assert.deepEqual(checked.session.budget.tier1, { constraints: [] });
  await interact(checked, 1);
  assert.match(textOf(checked.sealed[2]?.messages.slice(-1) ?? []), /no longer holds/);
});

test('a session that goes on keeps what a person changed, and takes what its settings say anew', async t => {
  const folder = homeOf(t);
  const first = await budgetSession(t, SETTINGS, { folder, sessionId: 's' });
  await interact(first, 1);
  first.session.updateTier1('no-push', 'Push only to a branch.', PERSON);
  await first.close();
  const settings = { ...SETTINGS, constraints: [...SETTINGS.constraints, { id: 'tabs', text: 'Use tabs.' }] };
  const second = await budgetSession(t, settings, { folder, sessionId: 's' });
  assert.deepEqual(second.session.budget.tier1?.constraints, [
    { id: 'no-push', text: 'Push only to a branch.' },
    { id: 'tabs', text: 'Use tabs.' },
  ]);
  const { messages } = await second.request(talk(3, 2), { config: CONFIG });
  assert.match(textOf([messages[0]]), /Push only to a branch.*Use tabs/);
  const reasons = (await second.logged('budget/tier1-set')).map(({ reason }) => reason);
  assert.deepEqual(reasons, ['set', 'resume']);
  await second.close();
});

test('a log without content loses the first tier of an instance before: the settings give it again', async t => {
  const folder = homeOf(t);
  const options = { folder, sessionId: 's', config: { content: 'hashes' } } as const;
  const first = await budgetSession(t, SETTINGS, options);
  await interact(first, 1);
  await first.close();
  assert.ok(!readFileSync(first.session.logFile, 'utf8').includes('Never push'));
  const second = await budgetSession(t, SETTINGS, options);
  assert.match(second.session.notices.join('\n'), /are as config\.json has them: what was changed .* is lost/);
  const { messages } = await second.request(talk(3, 2), { config: CONFIG });
  assert.match(textOf([messages[0]]), /Never push to main/);
  await second.close();
  // Without them the loss is told, once.
  const third = await budgetSession(t, { window: 10_000 }, options);
  await third.request(talk(5, 2), { config: CONFIG });
  await third.request(talk(7, 2), { config: CONFIG });
  const drifts = await third.logged('budget/drift');
  assert.deepEqual(
    drifts.map(({ response }) => response),
    ['report-only'],
  );
});

test('T-43 an agent that can be stopped is, once', async t => {
  const folder = homeOf(t);
  const options = { folder, sessionId: 's', config: { content: 'hashes' } } as const;
  const first = await budgetSession(t, SETTINGS, options);
  await interact(first, 1);
  await first.close();
  const said: string[] = [];
  const second = await budgetSession(t, { window: 10_000 }, { ...options, pause: why => said.push(why) });
  await second.request(talk(3, 2), { config: CONFIG });
  await second.request(talk(5, 2), { config: CONFIG });
  assert.deepEqual(said, ['The request does not hold the task and the constraints as they were set.']);
});

test('what is no first tier is refused by name, and nothing is logged', async t => {
  const { session, logged } = await budgetSession(t).then(checked => ({
    session: checked.session,
    logged: () => checked.logged('budget/tier1-set'),
  }));
  const constraint = { id: 'a', text: 'Never push.' };
  for (const [tier1, reason] of [
    [undefined, /no object/],
    [{}, /constraints is no list/],
    [{ constraints: [null] }, /is no object/],
    [{ constraints: [], objective: 5 }, /objective is not text/],
    [{ constraints: [constraint, constraint] }, /two constraints have the id "a"/],
    [{ constraints: [{ ...constraint, id: 'identity' }] }, /no constraint can have the id "identity"/],
    [
      { constraints: Array.from({ length: 1_001 }, (_, index) => ({ id: `c${index}`, text: 'x' })) },
      /more than 1000 constraints/,
    ],
  ] as const) {
    assert.throws(
      () => session.setTier1(tier1 as unknown as Tier1, PERSON),
      (error: unknown) => error instanceof UnloggableEventError && reason.test(error.message),
    );
  }
  assert.deepEqual(await logged(), []);
});

test('T-43 an empty text says nothing: it is no task, no constraint, and no drift', async t => {
  const pauses: string[] = [];
  const checked = await budgetSession(t, {}, { pause: why => pauses.push(why) });
  const { session } = checked;
  session.setTier1({ objective: '', constraints: [{ id: 'a', text: '' }], identity: '' }, PERSON);
  await checked.turn([user('go')], { config: CONFIG });
  assert.deepEqual(session.budget.tier1, { constraints: [] });
  session.updateTier1('objective', 'Port the parser.', PERSON);
  session.updateTier1('objective', '', PERSON);
  assert.ok(!('objective' in (session.budget.tier1 ?? {})));
  await checked.turn(talk(3, 3), { config: CONFIG });
  session.rebasePrefix(PERSON);
  await checked.turn(talk(5, 3), { config: CONFIG });
  assert.deepEqual([pauses, await checked.logged('budget/drift')], [[], []]);
  await checked.close();
});

test('settings that change and change back are what a session that goes on holds each time', async t => {
  const folder = homeOf(t);
  for (const text of ['Use tabs.', 'Use spaces.', 'Use tabs.', 'Use spaces.']) {
    const constraints = [{ id: 'style', text }];
    const checked = await budgetSession(t, { window: 10_000, constraints }, { folder, sessionId: 's' });
    const { messages } = await checked.turn([user('go')], { config: CONFIG });
    assert.ok(textOf([messages[0]]).includes(text));
    await checked.close();
  }
});
