import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, editsInForce, isAnswer } from '../../../protocol/budget/applyEdits.ts';
import { BudgetContents } from '../../../protocol/budget/budgetContents.ts';
import { updatedTier1 } from '../../../protocol/budget/tier1.ts';
import { scanDeclarations } from '../../../protocol/lifecycle/scan.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import { sha256, textOf, wordsIn } from './budgetKit.ts';
import { budgetActs, budgetSession, type GeneratedSession } from './budgetSessions.ts';

/** A session is told by its seed: to make it smaller takes minutes. */
const RUNS = { numRuns: 30, endOnFailure: true };

function law(name: string, holds: (session: GeneratedSession) => void): void {
  test(name, () => {
    fc.assert(
      fc.property(budgetActs, acts => holds(budgetSession(acts))),
      RUNS,
    );
  });
}

test('the generated sessions hold all kinds of edits', () => {
  const kinds = new Map<string, number>();
  for (const acts of fc.sample(budgetActs, { numRuns: 60, seed: 7 })) {
    const { run } = budgetSession(acts);
    for (const { kind, cause } of run.all('budget/edit')) {
      kinds.set(`${kind} ${cause}`, (kinds.get(`${kind} ${cause}`) ?? 0) + 1);
    }
  }
  for (const kind of [
    'summarize over-trigger',
    'summarize over-limit',
    'remove over-limit',
    'archive over-limit',
    'append constraint-update',
  ]) {
    assert.ok((kinds.get(kind) ?? 0) > 5, `${kind}: ${JSON.stringify([...kinds])}`);
  }
});

law('I1 without an edit the entries are those of seed 1, the very objects', ({ steps }) => {
  for (const { view, made } of steps) {
    const isEdited = view.edits.length > 0 || made.events.some(({ type }) => type === 'budget/edit');
    assert.ok(isEdited || made.entries.length === view.entries.length);
    // With edits, what is left of the transcript is the very objects too, in their order.
    const left = made.entries.filter(({ edit }) => !edit);
    const known = new Set(left);
    const still = view.entries.filter(entry => known.has(entry));
    assert.ok(still.length === left.length && still.every((entry, place) => entry === left[place]));
  }
});

law('I2 the layer changes nothing of the lifecycle', ({ steps }) => {
  for (const { lifecycle, after } of steps) {
    assert.equal(after, lifecycle);
  }
});

law('I3 no view holds a call or a result alone that the transcript has together', ({ steps }) => {
  for (const { view, made } of steps) {
    assert.equal(pairingFault(view.entries), undefined);
    assert.equal(pairingFault(made.entries), undefined);
    const calls = new Set(view.entries.flatMap(({ answers }) => answers));
    const answered = new Set(made.entries.flatMap(({ answers }) => answers));
    for (const id of made.entries.flatMap(entry => entry.calls)) {
      assert.equal(answered.has(id), calls.has(id), id);
    }
  }
});

law('I4 what is sent is within the limit, counted anew', ({ run, steps }) => {
  const measures = run.all('budget/measured');
  for (const [place, { view, made }] of steps.entries()) {
    const beside =
      view.host.system.tokens + view.tier1.tokens + view.blocks.reduce((sum, { amount }) => sum + amount.tokens, 0);
    const total = beside + made.entries.reduce((sum, { message }) => sum + wordsIn(message), 0);
    const measured = measures[place];
    assert.equal(measured?.total.tokens, total);
    assert.equal(made.gate === 'sent', total <= (measured?.limits.hard ?? 0));
  }
});

law('I5 the log alone gives every view again', ({ run, steps }) => {
  const contents = new BudgetContents();
  let step = 0;
  for (const event of run.events) {
    contents.remember(event);
    if (event.type === 'budget/measured') {
      const { view, made } = steps[step++] ?? {};
      assert.ok(view && made);
      const again = applyEdits(view.entries, editsInForce(contents.edits));
      assert.equal(
        JSON.stringify(again.map(({ message }) => message)),
        JSON.stringify(made.entries.map(({ message }) => message)),
      );
    }
  }
});

law('I6 what no answer has consumed is in the view, untouched', ({ steps }) => {
  for (const { view, made, lifecycle } of steps) {
    const waiting = new Set(lifecycle.ephemerals.toArray().flatMap(({ unit, consumed }) => (consumed ? [] : [unit])));
    for (const entry of view.entries) {
      if (entry.keys.some(key => waiting.has(key))) {
        assert.ok(made.entries.includes(entry));
      }
    }
  }
});

law('I7 active blocks are the same to the byte', ({ steps }) => {
  for (const { blocks } of steps) {
    assert.equal(blocks.after, blocks.before);
    assert.ok(blocks.after?.includes('body of rules'));
  }
});

law('I8 the first tier is what was set, with the updates of the log', ({ run }) => {
  assert.equal(sha256(run.prefixText ?? ''), run.state.budget.tier1?.sha256);
  let expected = run.contents.baseline;
  for (const { id, new: value } of run.all('budget/tier1-updated')) {
    expected = expected && updatedTier1(expected, id, value);
  }
  assert.deepEqual(run.contents.tier1, expected);
  assert.deepEqual(
    run.state.budget.tier1?.constraints,
    expected?.constraints.map(({ id }) => id),
  );
});

law('I9 every edit has a cause and an actor, and belongs to its pass', ({ run }) => {
  const passes = run.all('budget/pass');
  for (const { cause, actor, pass, requestSequence, kind } of run.all('budget/edit')) {
    assert.ok(cause.length > 0 && actor.length > 0);
    assert.equal(pass === undefined, kind === 'append');
    assert.ok(pass === undefined || passes[pass - 1]?.requestSequence === requestSequence);
  }
  for (const [place, { pass, edits }] of passes.entries()) {
    assert.equal(pass, place + 1);
    assert.equal(run.all('budget/edit').filter(edit => edit.pass === pass).length, edits);
  }
});

law('I10 folding in two pieces is folding at once', ({ run }) => {
  const whole = run.events.reduce(reduce, initialState);
  const cut = Math.floor(run.events.length / 2);
  const half = run.events.slice(0, cut).reduce(reduce, initialState);
  assert.deepEqual(stateToJson(run.events.slice(cut).reduce(reduce, half)), stateToJson(whole));
  assert.deepEqual(stateToJson(run.state), stateToJson(whole));
});

law('I11 every edit that takes something away makes the request smaller', ({ run }) => {
  for (const { kind, before, after } of run.all('budget/edit')) {
    assert.ok(kind === 'append' || after.tokens < before.tokens, `${kind}: ${before.tokens} > ${after.tokens}`);
  }
});

law('I12 no line of an edit is a tag, whatever it quotes', ({ run }) => {
  for (const { message } of run.all('budget/edit')) {
    if (message) {
      assert.deepEqual(scanDeclarations(textOf([{ message }])), []);
    }
  }
  assert.equal(run.state.lifecycle.blocks.get('rules')?.status, 'active');
});

law('I13 a view that begins with a question is never edited into one that begins with an answer', ({ steps }) => {
  for (const { view, made } of steps) {
    assert.ok(isAnswer(view.entries[0]) || !isAnswer(made.entries[0]));
  }
});
