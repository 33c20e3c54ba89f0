import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressionRequest } from '../../../protocol/budget/compression.ts';
import { plan } from '../../../protocol/budget/plan.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import {
  assistant,
  BudgetRun,
  call,
  exact,
  result,
  sha256,
  talk,
  textOf,
  user,
  WINDOW,
  words,
  wordsIn,
} from './budgetKit.ts';

/** The recent messages take their whole share, those before them `history` words in messages of seven. */
const session = (history: number, name = 'h'): readonly JsonObject[] => {
  const whole = Math.floor(history / 7);
  const rest = history - whole * 7;
  const older = [...talk(whole - (whole % 2), 7, name), ...(whole % 2 === 1 ? [user(words(7, `${name}odd`))] : [])];
  return [...older, ...(rest > 0 ? [assistant(words(rest, `${name}rest`))] : []), ...talk(50, 6, 'recent')];
};

const withHost = (tokens: number) => {
  const run = new BudgetRun();
  run.beside = { host: { system: exact(tokens), tools: exact(0), prefix: exact(0) } };
  return run;
};

test('T-07 at 700 nothing is compressed, at 701 it is', () => {
  const at = withHost(100);
  at.request(session(300));
  assert.deepEqual([at.last('budget/measured').total, at.all('budget/pass').length], [exact(700), 0]);
  const above = withHost(100);
  above.request(session(301));
  assert.equal(above.last('budget/pass').before.tokens, 701);
});

test('T-44 what may be above the limit is compressed before an emergency takes anything', () => {
  const run = withHost(60);
  run.config = { limits: { ...WINDOW.limits, outputReserve: { tokens: 200, source: 'the test' } } };
  run.beside = {
    ...run.beside,
    tokensOf: message => ({ tokens: wordsIn(message), origin: 'estimated' }),
  };
  const messages = session(300);
  const made = run.request(messages);
  // 660 are below the trigger, but may be 810 of 800.
  const [pass, another] = run.all('budget/pass');
  assert.deepEqual([pass?.kind, pass?.before.tokens, another], ['compression', 660, undefined]);
  assert.deepEqual(
    made.entries.slice(-50).map(({ message }) => message),
    messages.slice(-50),
    'the recent ones stay',
  );
});

test('T-08 history of 301 becomes at most 150, in whole groups, and the pass says so', () => {
  const run = withHost(100);
  const messages = session(301);
  const made = run.request(messages);
  const pass = run.last('budget/pass');
  assert.deepEqual([pass.kind, pass.outcome, pass.historyBefore], ['compression', 'enough', exact(301)]);
  assert.ok(pass.historyAfter.tokens <= 150, `${pass.historyAfter.tokens}`);
  assert.equal(pass.edits, run.all('budget/edit').length);
  const { total, tiers, edited } = run.last('budget/measured');
  assert.deepEqual([total.tokens, tiers.tier4, edited], [100 + pass.historyAfter.tokens + 300, exact(300), true]);
  assert.equal(total.tokens, pass.after.tokens);
  // The recent ones are the very entries, and the transcript was not touched.
  assert.deepEqual(
    made.entries.slice(-50).map(({ message }) => message),
    messages.slice(-50),
  );
  assert.ok(pass.price && pass.price.freed.tokens > 0 && pass.price.divergence?.part === 'messages');
});

test('T-09 what users said must hold is kept to the character, with its unit and its place', () => {
  const sentence = 'You must never delete "prod"\u{1f4a5} tables.';
  const said = `Hello there! ${words(60, 'x')}. ${sentence} Thanks!`;
  const run = withHost(100);
  run.request([user(said), ...session(301)]);
  const [edit] = run.edits.filter(({ summary }) => summary?.record.active_constraints.includes(sentence));
  const quote = edit?.summary?.quotes.find(({ text }) => text === sentence);
  assert.ok(edit && quote);
  assert.equal(said.slice(quote.offset, quote.offset + sentence.length), sentence);
  assert.ok(edit.units.includes(quote.unit));
  assert.ok(textOf([{ message: edit.message as JsonObject }]).includes(JSON.stringify(sentence)));
  assert.ok(!JSON.stringify(edit.summary).includes('Thanks'));
});

test('T-10 the same input gives the same bytes', () => {
  const edits = [0, 1].map(() => {
    const run = withHost(100);
    run.request(session(301));
    return JSON.stringify(run.all('budget/edit'));
  });
  assert.equal(edits[0], edits[1]);
  const run = withHost(100);
  const view = run.viewOf(session(301));
  assert.deepEqual(plan(view, run.state, WINDOW), plan(view, run.state, WINDOW));
  assert.equal(JSON.stringify(plan(view, run.state, WINDOW)), edits[0]);
});

test('T-11 T-12 after a pass nothing is compressed again, until raw history grew by a twentieth of the window', () => {
  const run = withHost(400);
  const messages = [...session(301)];
  run.request(messages);
  assert.equal(run.state.budget.armed, false);
  assert.equal(run.all('budget/pass').length, 1);
  const { total } = run.last('budget/measured');
  assert.ok(total.tokens > 700);
  // Each request takes two recent messages of six words into raw history: 12, 24, 36, 48, 60.
  const passes = Array.from({ length: 5 }, () => {
    messages.push(user(words(6, `n${messages.length}`)), assistant(words(6, `n${messages.length}`)));
    run.request(messages);
    return [run.all('budget/pass').length, run.last('budget/measured').rawHistory.tokens];
  });
  assert.deepEqual(passes.slice(0, 4), [
    [1, 12],
    [1, 24],
    [1, 36],
    [1, 48],
  ]);
  assert.equal(passes[4]?.[0], 2);
});

test('a request at or below the trigger arms the next pass at once', () => {
  const run = withHost(100);
  run.request(session(301));
  assert.ok(run.last('budget/measured').total.tokens <= 700);
  assert.equal(run.state.budget.armed, true);
});

test('T-13 a summary that is no smaller is refused, logged, and the messages stay', () => {
  const run = withHost(700);
  const messages = [user('short one'), assistant('fine'), ...talk(50, 1, 'r')];
  const made = run.request(messages);
  const refused = run.last('budget/edit-refused');
  assert.deepEqual([refused.reason, refused.units, refused.kind], ['not-smaller', 2, 'summarize']);
  assert.ok((refused.after?.tokens ?? 0) >= (refused.before?.tokens ?? 0));
  assert.deepEqual([run.last('budget/pass').edits, run.last('budget/pass').outcome], [0, 'target-missed']);
  assert.equal(made.entries.length, messages.length);
  assert.equal(run.state.budget.compressions, 0);
  run.request(messages);
  assert.equal(run.all('budget/pass').length, 1);
});

test('T-14 where a model fails, or gives what is no good, the extractive summaries are taken, and that is logged', () => {
  const extractive = withHost(100);
  extractive.request(session(301));
  const expected = JSON.stringify(extractive.all('budget/edit'));
  const parts = () => {
    const run = withHost(100);
    return compressionRequest(run.viewOf(session(301)), run.state, WINDOW);
  };
  const record = { topic: 't', decisions: [], outcomes: [], active_constraints: [], errors_encountered: [] };
  const values: readonly (readonly [unknown, RegExp])[] = [
    ['text', /no object/],
    [{}, /topic/],
    [{ ...record, decisions: [1] }, /decisions/],
    [{ ...record, outcomes: [words(400)] }, /not smaller/],
  ];
  for (const [value, reason] of values) {
    const run = withHost(100);
    run.config = { ...WINDOW, summaries: { by: 'model:x', summaries: parts().map(({ units }) => ({ units, value })) } };
    run.request(session(301));
    assert.match(run.last('budget/summary-failed').reason, reason);
    assert.equal(JSON.stringify(run.all('budget/edit')), expected);
  }
  const run = withHost(100);
  run.config = { ...WINDOW, summaries: { by: 'model:x', failed: 'it took longer than 10 seconds' } };
  run.request(session(301));
  assert.deepEqual(run.last('budget/summary-failed'), {
    actor: 'model:x',
    reason: 'it took longer than 10 seconds',
    requestSequence: 1,
  });
  assert.equal(JSON.stringify(run.all('budget/edit')), expected);
});

test('a model may summarise: what it quotes and nobody said is set apart, what it left out comes back', () => {
  const messages = [user(`You must use tabs. ${words(40, 'x')}`), ...session(301)];
  const asked = withHost(100);
  const parts = compressionRequest(asked.viewOf(messages), asked.state, WINDOW);
  const value = {
    topic: 'tabs',
    decisions: ['none'],
    outcomes: [],
    active_constraints: ['Users may never log in.'],
    errors_encountered: [],
  };
  const run = withHost(100);
  run.config = { ...WINDOW, summaries: { by: 'model:x', summaries: parts.map(({ units }) => ({ units, value })) } };
  run.request(messages);
  const [first] = run.edits;
  assert.deepEqual([first?.actor, first?.summary?.record.topic], ['model:x', 'tabs']);
  assert.deepEqual(first?.summary?.record.active_constraints, ['You must use tabs.']);
  assert.deepEqual(first?.summary?.unverified, ['Users may never log in.']);
});

test('T-15 no call and no result is left alone when what stands around it is compressed', () => {
  const pairs = Array.from({ length: 30 }, (_, index) => [
    call(`c${index}`),
    result(`c${index}`, words(14, `r${index}`)),
  ]).flat();
  // The call in the middle is still open: its result may come late.
  const messages = [user('go on'), ...pairs, call('open'), assistant('an aside'), ...talk(50, 6, 'recent')];
  const run = withHost(100);
  const made = run.request(messages);
  assert.equal(pairingFault(made.entries), undefined);
  assert.ok(run.edits.length > 0);
  assert.ok(made.entries.some(({ calls }) => calls.includes('open')));
  const late = [...messages, result('open', 'here it is')];
  assert.equal(pairingFault(run.request(late).entries), undefined);
});

test('T-16 no language loses what was asked for', () => {
  const said = [
    '数据库密码绝不能写进日志。请先读一遍代码。',
    'ログには絶対にパスワードを書かないでください。次に進みます。',
    'Пароль никогда не должен попадать в журнал. Начнём с базы данных.',
    'Salasanaa kirjoitetaan lokiin tuskin koskaan. Aloitetaan tietokannasta.',
  ];
  const messages = said.flatMap(text => [user(text), assistant(words(40, 'answer'))]);
  const run = withHost(300);
  run.request([...messages, ...session(140)]);
  const kept = run.edits.flatMap(({ summary }) => summary?.quotes.map(({ text }) => text) ?? []);
  for (const text of said) {
    const [first] = text.split(/(?<=[。.]) ?/);
    assert.ok(kept.includes(first ?? ''), `${first} is lost`);
  }
});

test('a pass that would free less than the settings ask for is not made', () => {
  const run = withHost(100);
  run.config = { ...WINDOW, minReclaim: 400 };
  run.request(session(301));
  assert.deepEqual([run.last('budget/pass').edits, run.edits], [0, []]);
});

test('edits apply in every later view, and nothing is summarised again', () => {
  const run = withHost(100);
  const messages = [...session(301)];
  const first = run.request(messages);
  run.answer();
  messages.push(assistant('done'), user('and now'));
  const second = run.request(messages);
  assert.equal(run.all('budget/pass').length, 1);
  assert.deepEqual(second.entries.slice(0, first.entries.length), first.entries);
  const resumed = new BudgetRun(WINDOW, run.events);
  resumed.beside = run.beside;
  const third = resumed.request(messages);
  assert.deepEqual(
    third.entries.map(({ message }) => message),
    second.entries.map(({ message }) => message),
  );
});

test('a message that the host takes back comes back into no view; its summary goes with the last of its messages', () => {
  const run = withHost(100);
  const messages = session(301);
  run.request(messages);
  const [edit] = run.edits;
  assert.ok(edit);
  const left = messages.slice(20);
  const made = run.request(left);
  assert.ok(!made.entries.some(entry => entry.edit?.edit === edit.edit));
});

test('a transcript that is taken back into a summary is shown as it is, and the summary tells nothing of what was undone', () => {
  const run = withHost(100);
  const messages = session(301);
  run.request(messages);
  const [first, second] = run.edits;
  assert.ok(first && second);
  const { entries } = run.viewOf(messages);
  const inSecond = entries.findIndex(({ keys }) => keys.includes(second.units[2] ?? ''));
  const back = run.request([...messages.slice(0, inSecond), user('another way')]);
  const shown = back.entries.map(({ edit }) => edit?.edit);
  assert.ok(shown.includes(first.edit) && !shown.includes(second.edit));
  assert.equal(back.entries.length, 1 + 2 + 1);
  // And forward again, as in hosts that can redo.
  assert.ok(run.request(messages).entries.some(({ edit }) => edit?.edit === second.edit));
});

test('what a user says again is not taken for what a summary stands for, where the host dropped that', () => {
  const run = withHost(100);
  const again = user('continue');
  const older = [...talk(9, 7, 'h'), again];
  const messages = [...older, ...session(301)];
  run.request(messages);
  const [edit] = run.edits;
  const key = run.viewOf(messages).entries[9]?.keys[0] ?? '';
  assert.equal(edit?.units.at(-1), key);
  // The host drops its start, and the same word, said anew, gets the identity of the one that is gone.
  const compacted = [user('the host sums up'), ...talk(6, 3, 'z'), again, assistant('on it')];
  const made = run.request(compacted);
  assert.equal(run.viewOf(compacted).entries[7]?.keys[0], key);
  assert.deepEqual(
    made.entries.map(({ message }) => message),
    compacted,
  );
});

test('the bytes of extractive@1 are pinned: whoever changes them changes its name', () => {
  const said = [
    'Task: move the shop. You must never drop a table! We go with Postgres. Thanks.',
    '必须先备份。然后继续。',
    'No cue stands in here. Nor in here.',
  ];
  const messages = said.flatMap((text, index) => [
    user(`${text} See src/db.ts, please ${words(20, 'x')}.`),
    call(`p${index}`),
    result(`p${index}`, `src/db.ts\n${words(20, 'y')}\n${index} passed, exit code ${index}`),
    assistant(`Part ${index} is done.\nMore on that.`),
  ]);
  const run = withHost(300);
  run.request([...messages, ...session(140)]);
  const [first] = run.edits;
  assert.deepEqual(
    [first?.actor, first?.summary?.record.topic],
    ['extractive@1', said[0]?.concat(' See src/db.ts, please').slice(0, 80).concat('…')],
  );
  assert.equal(
    sha256(JSON.stringify(run.edits.map(({ summary, message }) => [summary, message]))),
    '8cf80e92001dfd0ed0bb0b03a3f6d232c55224f04831ffbeff8e2a4be2bc2542',
  );
});
