import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnedLimit, mayPlanAgain } from '../../../protocol/budget/learnedLimit.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, BudgetRun, exact, talk, textOf, user, WINDOW, words } from './budgetKit.ts';

const hostOf = (tokens: number) => ({ host: { system: exact(tokens), tools: exact(0), prefix: exact(0) } });

const withHost = (tokens: number, config = WINDOW) => {
  const run = new BudgetRun(config);
  run.beside = hostOf(tokens);
  return run;
};

/** Registers the first message as a document. */
function loadDocument(run: BudgetRun, document: string, messages: readonly JsonObject[], at = 1): void {
  const units = run.viewOf(messages).entries[0]?.keys ?? [];
  run.append({ type: 'budget/document', data: { document, units, messages: at, requestSequence: run.sequence } });
}

test('T-21 a request of 900 passes, one of 901 does not', () => {
  const at = withHost(600);
  assert.equal(at.request(talk(20, 15)).gate, 'sent');
  assert.equal(at.last('budget/measured').total.tokens, 900);
  const above = withHost(601);
  const made = above.request(talk(20, 15));
  assert.equal(made.gate, 'blocked');
  assert.deepEqual(above.last('budget/measured').flags, ['pressure', 'near-limit', 'over-limit']);
  assert.equal(above.state.requests.length, 0);
});

test('the soft alert is above 85 %, and changes nothing', () => {
  const run = withHost(851);
  const made = run.request([]);
  assert.deepEqual([run.last('budget/measured').flags, made.gate], [['pressure', 'near-limit'], 'sent']);
  const at = withHost(850);
  at.request([]);
  assert.deepEqual(at.last('budget/measured').flags, ['pressure']);
});

test('T-22 an emergency stops after its first step when that is enough', () => {
  const run = withHost(650);
  const messages = talk(50, 6, 'recent');
  const made = run.request(messages);
  assert.deepEqual(
    run.all('budget/edit').map(({ kind, cause }) => [kind, cause]),
    [['remove', 'over-limit']],
  );
  assert.deepEqual(
    made.entries.map(({ message }) => message),
    messages.slice(30),
  );
  assert.deepEqual([run.last('budget/measured').total, made.gate], [exact(770), 'sent']);
});

test('T-23 the steps of an emergency are in the log in their order, each with what it left', () => {
  const run = withHost(780);
  const document = user(`schema of everything ${words(200, 'd')}`);
  const messages = [document, ...talk(43, 7, 'h'), ...talk(50, 6, 'recent')];
  loadDocument(run, 'docs/schema.sql', messages);
  run.request(messages);
  const steps = run
    .all('budget/edit')
    .filter(({ cause }) => cause === 'over-limit')
    .map(({ kind }) => kind);
  assert.deepEqual([...new Set(steps)], ['remove', 'summarize', 'unload', 'archive']);
  assert.deepEqual(
    steps,
    steps.toSorted(
      (a, b) =>
        ['remove', 'summarize', 'unload', 'archive'].indexOf(a) -
        ['remove', 'summarize', 'unload', 'archive'].indexOf(b),
    ),
  );
  const edits = run.all('budget/edit');
  for (const [place, edit] of edits.entries()) {
    assert.ok(edit.after.tokens < edit.before.tokens);
    assert.deepEqual(edits[place + 1]?.before ?? edit.after, edit.after);
  }
  const [compression, emergency] = run.all('budget/pass');
  assert.deepEqual([compression?.kind, emergency?.kind], ['compression', 'emergency']);
  assert.equal(run.last('budget/measured').total.tokens, edits.at(-1)?.after.tokens);
  // One step less would not have been enough.
  assert.ok((edits.at(-1)?.before.tokens ?? 0) > 900 && (edits.at(-1)?.after.tokens ?? 0) <= 900);
});

test('a paragraph has no line end, and keeps every constraint', () => {
  const run = withHost(740);
  const rule = 'You must always ask before a push.';
  const older = [user(`${rule} ${words(60, 'x')}. ${words(60, 'y')}.`), ...talk(43, 7, 'h')];
  run.request([...older, ...talk(50, 6, 'recent')]);
  const paragraphs = run.edits.filter(({ form }) => form === 'paragraph');
  assert.ok(paragraphs.length > 0);
  for (const { message } of paragraphs) {
    assert.ok(!/[\n\r]/.test(textOf([{ message: message as JsonObject }])));
  }
  const view = run.request([...older, ...talk(50, 6, 'recent')]);
  assert.ok(textOf(view.entries).includes(JSON.stringify(rule)));
});

test('what must hold stays when old messages of tier 4 are cut', () => {
  const rule = 'Never touch the main branch.';
  const run = withHost(640);
  const recent = talk(50, 6, 'recent').with(2, user(rule));
  const made = run.request(recent);
  assert.ok(textOf(made.entries).includes(JSON.stringify(rule)));
  assert.equal(made.gate, 'sent');
});

test('what must hold stays as it was said where a paragraph would be no shorter', () => {
  const rule = user('Never touch the main branch.');
  const run = new BudgetRun();
  const messages = talk(50, 6, 'recent').with(2, rule);
  const pinned = new Set(
    run.viewOf(messages).entries.flatMap(({ keys }, index) => (index === 1 || index === 3 ? keys : [])),
  );
  run.beside = { ...hostOf(640), pinned };
  const made = run.request(messages);
  assert.ok(made.entries.some(({ message }) => textOf([{ message }]) === textOf([{ message: rule }])));
  assert.deepEqual([made.gate, run.all('budget/edit').map(({ kind }) => kind)], ['sent', ['remove']]);
});

test('T-24 a document that was referred to 50 messages ago stays, one of 51 messages ago goes', () => {
  const gone = (ago: number, mention: JsonObject) => {
    const run = withHost(760);
    const document = user(`schema of everything ${words(100, 'd')}`);
    const messages = [document, ...talk(10, 3, 'h'), mention, ...talk(ago - 1, 4, 'r')];
    loadDocument(run, 'docs/schema.sql', messages);
    run.request(messages);
    return run.all('budget/edit').some(({ kind, document: name }) => kind === 'unload' && name === 'docs/schema.sql');
  };
  const named = user('look into schema.sql');
  const argued: JsonObject = {
    role: 'assistant',
    content: [{ type: 'tool-call', id: 'x', name: 'read', arguments: '{"path":"docs/schema.sql"}' }],
  };
  assert.deepEqual([gone(50, named), gone(51, named)], [false, true]);
  assert.deepEqual([gone(50, argued), gone(51, argued)], [false, true]);
});

test('T-24 a touch of the adapter is a reference', () => {
  const run = withHost(760);
  const document = user(`schema of everything ${words(100, 'd')}`);
  const messages = [document, ...talk(61, 4, 'r')];
  loadDocument(run, 'docs/schema.sql', messages);
  const touched = { document: 'docs/schema.sql', messages: 13, requestSequence: 1 };
  run.append({ type: 'budget/document-touched', data: touched });
  run.request(messages);
  assert.ok(!run.all('budget/edit').some(({ kind }) => kind === 'unload'));
});

test('T-25 the last 20 messages are never cut: at 850 they fit, at 950 a reset is asked for and nothing is sent', () => {
  const fits = new BudgetRun();
  fits.beside = { tier1: exact(50) };
  assert.equal(fits.request(talk(20, 40)).gate, 'sent');
  assert.equal(fits.last('budget/measured').total.tokens, 850);
  const not = new BudgetRun();
  not.beside = { tier1: exact(50) };
  const made = not.request(talk(20, 45));
  assert.deepEqual([made.gate, made.entries.length, not.state.requests.length], ['blocked', 20, 0]);
  const { total, hard, largest } = not.last('budget/reset-requested');
  assert.deepEqual([total.tokens, hard], [950, 900]);
  assert.deepEqual(
    largest.map(({ part }) => part),
    ['tier3', 'tier4', 'tier1'],
  );
  assert.equal(not.state.budget.resetPending, true);
  not.request(talk(2, 2));
  assert.equal(not.state.budget.resetPending, false);
});

test('a request that no cut brings below its limit is not cut: without what made it too long, the next one has all that was there', () => {
  const run = new BudgetRun();
  const rules = Array.from({ length: 30 }, (_, index) =>
    index % 2 === 0 ? user(`You must keep rule${index}.`) : assistant(words(4, `a${index}`)),
  );
  assert.equal(run.request(rules).gate, 'sent');
  const made = run.request([...rules, user(words(950, 'huge'))]);
  assert.equal(made.gate, 'blocked');
  assert.ok([...run.state.budget.edits].every(({ cause }) => cause === 'over-trigger'));
  assert.ok(run.last('budget/reset-requested').total.tokens > 950);
  const next = run.request([...rules, user('Go on.')]);
  assert.equal(next.gate, 'sent');
  const shown = textOf(next.entries);
  for (let index = 0; index < rules.length; index += 2) {
    assert.ok(shown.includes(`You must keep rule${index}.`), `rule${index}`);
  }
});

test('where the settings say so, a request above its limit is sent with a warning', () => {
  const run = new BudgetRun({ ...WINDOW, overLimit: 'warn' });
  assert.equal(run.request(talk(20, 50)).gate, 'warned');
  assert.deepEqual([run.state.requests.length, run.state.budget.resetPending], [1, true]);
});

test('T-26 a huge ephemeral that no answer consumed is not cut', () => {
  const huge = user(`<!--ephemeral-->\n${words(950)}`);
  const run = new BudgetRun();
  const made = run.request([...talk(60, 3), huge]);
  assert.equal(made.gate, 'blocked');
  assert.deepEqual(made.entries.at(-1)?.message, huge);
  // Also when newer messages stand behind it, as long as none of them is an answer.
  const later = new BudgetRun();
  const more = Array.from({ length: 25 }, (_, index) => user(`more ${index}`));
  const second = later.request([huge, ...more]);
  assert.deepEqual([second.gate, second.entries[0]?.message], ['blocked', huge]);
});

test('T-27 a refusal for length teaches a limit, is planned anew once, and then stops', () => {
  const run = new BudgetRun();
  run.request(talk(50, 13));
  assert.equal(run.last('budget/measured').total.tokens, 650);
  run.answer('failed');
  const said = 'This model’s maximum context length is 500 tokens, however you requested 650.';
  const first = learnedLimit(said, 1, 650);
  assert.ok(first);
  assert.ok(mayPlanAgain(run.state.budget, 1));
  run.append(first);
  const made = run.request(talk(50, 13));
  const { limits, total } = run.last('budget/measured');
  assert.deepEqual([limits.hard, limits.binds, made.gate], [500, 'learned', 'sent']);
  assert.ok(total.tokens <= 500);
  run.answer('failed');
  assert.ok(!mayPlanAgain(run.state.budget, 2));
});

test('T-27 what an error says of length, and what it does not', () => {
  const learned = (said: string) => learnedLimit(said, 3, 210_000)?.data.tokens;
  assert.equal(learned('prompt is too long: 203456 tokens > 200000 maximum'), 200_000);
  assert.equal(learned('{"code":"context_length_exceeded"}'), 189_000);
  assert.equal(learned('maximum context length is 128,000 tokens'), 128_000);
  assert.equal(
    learned('The input token count (210000) exceeds the maximum number of tokens allowed (131072).'),
    131_072,
  );
  assert.equal(
    learned('input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease'),
    189_000,
  );
  assert.equal(learned('Your input exceeds the context window of this model. Please adjust your input.'), 189_000);
  // A number above what was sent teaches nothing.
  assert.equal(learned('maximum context length is 1000000 tokens'), 189_000);
  assert.equal(learned('rate limit reached'), undefined);
  // A number that counts something else, or that no model has, would end the session.
  assert.equal(learned('input is too long; limit: 5 images'), 189_000);
  assert.equal(learned('maximum context length is 1 tokens'), 189_000);
});

test('reading what a provider said costs no more than its length', () => {
  const reads = ['>', 'limit', 'maximum', '1'].map(word => {
    const said = `prompt is too long ${word}${' '.repeat(5_000_000)}x`;
    return learnedLimit(said, 3, 210_000)?.data.tokens;
  });
  assert.deepEqual(reads, [189_000, 189_000, 189_000, 189_000]);
});

test('a view that began with a question never begins with an answer after a cut', () => {
  const messages = [user(words(4)), ...Array.from({ length: 60 }, (_, index) => assistant(words(8, `a${index}`)))];
  const run = withHost(600);
  const made = run.request(messages);
  assert.notEqual(made.entries[0]?.role, 'assistant');
  assert.ok(made.entries.length < messages.length);
});

test('a question that went stays where the host drops what stood before it and an answer would be first', () => {
  const run = withHost(650);
  const messages = [...talk(30, 6, 'gone'), ...talk(30, 6, 'recent')];
  run.request(messages);
  const [edit] = run.edits.filter(({ kind }) => kind === 'remove');
  const last = run.viewOf(messages).entries.findIndex(({ keys }) => keys.includes(edit?.units.at(-1) ?? ''));
  assert.ok(last > 0);
  // The last unit that was removed is an answer; a host that keeps the question behind it begins with a question.
  const question = user('what was that');
  const kept = [question, ...messages.slice(last)];
  const data = { ...(edit ?? assert.fail()), edit: run.state.budget.edits.length + 1, replaces: [edit?.edit ?? 0] };
  run.append({ type: 'budget/edit', data: { ...data, units: run.viewOf(kept).entries[0]?.keys ?? [] } });
  const made = run.request([question, assistant('that was it'), user('and now')]);
  assert.deepEqual(made.entries[0]?.message, question);
});
