import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits, editsInForce } from '../../../protocol/budget/applyEdits.ts';
import { BudgetContents } from '../../../protocol/budget/budgetContents.ts';
import { withoutContent } from '../../../protocol/log/withoutContent.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import { BudgetRun, exact, sha256, talk, user, words } from './budgetKit.ts';

const SECRET = 'secretly';

/** A session in which everything was said, summarised and updated. */
function session() {
  const run = new BudgetRun();
  run.setTier1({ objective: SECRET, constraints: [{ id: 'a', text: `${SECRET} a` }], identity: SECRET });
  run.update('a', `${SECRET} b`);
  run.beside = { host: { system: exact(640), tools: exact(0), prefix: exact(0) } };
  const messages = [user(`You must ${SECRET} wait. ${words(60)}`), ...talk(43, 7, SECRET), ...talk(50, 6, 'r')];
  run.request(messages);
  return { run, messages };
}

test('a log without content holds nothing of summaries and of the first tier', () => {
  const { run } = session();
  const told = run.events.filter(({ type }) => type.startsWith('budget/'));
  assert.ok(JSON.stringify(told).includes(SECRET));
  assert.ok(!JSON.stringify(told.map(event => withoutContent(event, sha256))).includes(SECRET));
});

test('after a resume from a log without content, what a summary stood for is shown as it is; what was removed stays away', () => {
  const { run, messages } = session();
  const contents = new BudgetContents();
  for (const event of run.events) {
    contents.remember(withoutContent(event, sha256));
  }
  assert.deepEqual(
    [contents.tier1, contents.baseline, contents.untold, contents.superseded],
    [undefined, undefined, [], []],
  );
  const kinds = new Set(contents.edits.map(({ kind }) => kind));
  assert.deepEqual([kinds.has('summarize'), kinds.has('remove')], [false, true]);
  const { entries } = run.viewOf(messages);
  const view = applyEdits(entries, editsInForce(contents.edits));
  assert.equal(pairingFault(view), undefined);
  assert.ok(view.length < entries.length);
  assert.ok(view.some(({ message }) => JSON.stringify(message).includes(SECRET)));
});

test('contents are known again from the log alone', () => {
  const { run } = session();
  const contents = new BudgetContents();
  run.events.forEach(event => contents.remember(event));
  assert.deepEqual(contents.edits, run.contents.edits);
  assert.deepEqual(contents.tier1, run.contents.tier1);
  assert.deepEqual(contents.superseded, [{ old: `${SECRET} a`, now: `${SECRET} b`, source: 'a-person' }]);
  assert.equal(contents.untold.length, 1);
});
