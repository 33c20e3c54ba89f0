import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupsOf } from '../../../protocol/budget/groups.ts';
import { isConstraint, isGreeting } from '../../../protocol/budget/summary/cues.ts';
import { extractive } from '../../../protocol/budget/summary/extractive.ts';
import { sentencesOf } from '../../../protocol/budget/summary/sentences.ts';
import { DETAILS, type SummaryGroup, type SummaryUnit } from '../../../protocol/budget/summary/summarizer.ts';
import { summaryGroupOf } from '../../../protocol/budget/summary/summaryGroups.ts';
import { paragraphText, structuredText } from '../../../protocol/budget/summary/summaryText.ts';
import { scanDeclarations } from '../../../protocol/lifecycle/scan.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { resultBlock, results } from '../lifecycle/lifecycleKit.ts';
import { assistant, BudgetRun, call, result, talk, user, words } from './budgetKit.ts';

const unit = (kind: SummaryUnit['kind'], text: string, more: Partial<SummaryUnit> = {}): SummaryUnit => ({
  unit: `u:${text.length}`,
  kind,
  text,
  isError: false,
  ...more,
});
const group = (...units: readonly SummaryUnit[]): SummaryGroup => ({ units, paths: [] });
const summaryOf = (groups: readonly SummaryGroup[]) => extractive.summarize(groups, 'full', new Set());

const groupsRead = (...messages: readonly JsonObject[]) =>
  groupsOf(new BudgetRun().viewOf(messages).entries).map(one => summaryGroupOf(one, { format: seedTwoFormat }));

test('sentences of many languages end where their people end them', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['Do it. Then v1.2.3 (see x.ts). "Never!" Ok?', ['Do it.', 'Then v1.2.3 (see x.ts).', '"Never!"', 'Ok?']],
    ['不要删除。必须备份！好吗？', ['不要删除。', '必须备份！', '好吗？']],
    ['一行目\r\n二行目\u2028三行目', ['一行目', '二行目', '三行目']],
    ['  spaced  \n\n out  ', ['spaced', 'out']],
    ['', []],
    ['...', ['...']],
  ];
  for (const [text, expected] of cases) {
    assert.deepEqual(
      sentencesOf(text).map(sentence => sentence.text),
      expected,
    );
  }
});

test('law: a sentence is the text at its place, and nothing but blanks is left out', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '.', '!', '。', '\n', '\r', '"', ')', '😀', '\u2028') }),
      text => {
        let rest = text;
        for (const { text: sentence, offset } of sentencesOf(text).toReversed()) {
          assert.equal(text.slice(offset, offset + sentence.length), sentence);
          assert.ok(!/[\n\r\u2028]/.test(sentence));
          rest = rest.slice(0, offset) + rest.slice(offset + sentence.length);
        }
        assert.match(rest, /^\s*$/);
      },
    ),
  );
});

test('reading a text of one endless run costs no more than its length', () => {
  for (const run of ['a', '.', ')', '-', ' ', '.)', '。', '/', 'a.', 'must']) {
    const text = run.repeat(200_000);
    assert.ok(sentencesOf(`x${text}`).length > 0);
    const [read] = groupsRead(user(`x ${text} y`));
    assert.ok(read);
    assert.ok(summaryOf([read]).quotes.length > 0);
  }
});

test('a sentence that never ends is cut, to the character, and costs no request', () => {
  const text = `You must keep ${'a'.repeat(12_000_000)}`;
  const sentences = sentencesOf(text);
  assert.equal(sentences.map(sentence => sentence.text).join(''), text);
  const [read] = groupsRead(user(text));
  assert.ok(read);
  assert.equal(summaryOf([read]).record.active_constraints.length, 1);
});

test('cues are words, not parts of words, and signs where a script has no blanks', () => {
  for (const text of [
    'You must',
    'Never!',
    'use ONLY this',
    'Das darf nicht sein',
    '必须',
    'しないでください',
    'только так',
    "don't",
    'don’t',
  ]) {
    assert.ok(isConstraint(text), text);
  }
  for (const text of ['mustard', 'the commonly', 'monastery', '好的', 'run it']) {
    assert.ok(!isConstraint(text), text);
  }
  for (const text of ['Thanks!', 'Hello,', '谢谢！', '**Great** 😀']) {
    assert.ok(isGreeting(text), text);
  }
  assert.ok(!isGreeting('Thanks for keeping the port'));
});

test('a summary keeps constraints, decisions, outcomes and errors, each once, and drops greetings', () => {
  const { record, quotes } = summaryOf([
    group(unit('user', 'Hi! You must keep port 80. We go with Postgres. The rest is talk.')),
    group(unit('tool-result', 'boom\nexit code 2'), unit('tool-result', 'no such file', { isError: true })),
    group(unit('tool-result', 'lots\n12 passed, 1 failed')),
    group(unit('user', 'You must keep port 80.'), unit('assistant', 'It works now.\nMore text')),
  ]);
  assert.deepEqual(record, {
    topic: 'earlier messages',
    period: 'unknown',
    decisions: ['We go with Postgres.'],
    outcomes: ['exit code 2', '12 passed, 1 failed', 'It works now.'],
    active_constraints: ['You must keep port 80.'],
    errors_encountered: ['boom', 'no such file'],
  });
  assert.deepEqual(Object.keys(record), [
    'topic',
    'period',
    'decisions',
    'outcomes',
    'active_constraints',
    'errors_encountered',
  ]);
  assert.deepEqual(
    quotes.map(({ text, offset }) => [text, offset]),
    [
      ['You must keep port 80.', 4],
      ['We go with Postgres.', 27],
    ],
  );
});

test('the period is that of the first and the last unit, in UTC', () => {
  const at = (time: number) => unit('assistant', 'text', { time });
  assert.equal(
    summaryOf([group(at(0)), group(unit('assistant', 'x')), group(at(1_700_000_000_000))]).record.period,
    '1970-01-01T00:00:00Z - 2023-11-14T22:13:20Z',
  );
});

test('topics: a task that is named, then what the adapter says, then shared files, else runs of ten', () => {
  const asks = (text: string, more: Partial<SummaryGroup> = {}): SummaryGroup => ({
    units: [unit('user', text)],
    paths: [],
    ...more,
  });
  const sizes = (groups: readonly SummaryGroup[]) => extractive.split(groups).map(part => part.length);
  assert.deepEqual(sizes(Array.from({ length: 23 }, () => asks('go on'))), [10, 10, 3]);
  assert.deepEqual(sizes([asks('Task: one'), asks('go'), asks('## Task 2'), asks('go')]), [2, 2]);
  assert.deepEqual(
    sizes([asks('a', { topic: 'plan' }), asks('b', { topic: 'plan' }), asks('c', { topic: 'build' })]),
    [2, 1],
  );
  assert.deepEqual(
    sizes([asks('a', { paths: ['x.ts'] }), asks('b', { paths: ['x.ts', 'y.ts'] }), asks('c', { paths: ['z.ts'] })]),
    [2, 1],
  );
  assert.equal(summaryOf([asks('Task: build it\nmore')]).record.topic, 'Task: build it');
  assert.equal(
    summaryOf([asks('a', { paths: ['y.ts', 'x.ts'] }), asks('b', { paths: ['x.ts'] })]).record.topic,
    'x.ts',
  );
});

test('less detail says less, and never a constraint less', () => {
  const said = Array.from({ length: 20 }, (_, index) => `You must keep port ${index}. We use tool ${index}.`).join(' ');
  const groups = [group(unit('user', said), unit('assistant', words(200)))];
  const lengths = DETAILS.map(detail => {
    const summary = extractive.summarize(groups, detail, new Set());
    assert.equal(summary.record.active_constraints.length, 20);
    return structuredText(summary).length;
  });
  assert.deepEqual(
    lengths,
    lengths.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(lengths).size, DETAILS.length);
});

test('errors are known by their marks, also among parallel results, and files by their names', () => {
  const marked = { ...resultBlock('b', 'it broke'), isError: true };
  const [read] = groupsRead(
    call('a', 'b'),
    results(resultBlock('a', 'see src/app.ts and README.md, not 3.14 or e.g.'), marked),
  );
  assert.deepEqual(
    read?.units.filter(({ kind }) => kind === 'tool-result').map(({ isError }) => isError),
    [false, true],
  );
  assert.ok(read?.paths.includes('src/app.ts') && read.paths.includes('README.md'));
  assert.ok(!read?.paths.includes('3.14'));
});

test('law: no text of a summary has a line that is a tag, and a paragraph is one line', () => {
  const tags = fc.constantFrom(
    '<!--ephemeral-->',
    '<!--DISCARD_BLOCK:x-->',
    '<!--BLOCK_ID:x-->',
    'must',
    '\n',
    '\r',
    ' ',
    'a.',
  );
  fc.assert(
    fc.property(fc.array(tags), fc.array(tags), (said, answered) => {
      const summary = summaryOf([group(unit('user', said.join('')), unit('assistant', answered.join('')))]);
      assert.deepEqual(scanDeclarations(structuredText(summary)), []);
      assert.ok(!/[\n\r]/.test(paragraphText(summary)));
      assert.deepEqual(scanDeclarations(paragraphText(summary)), []);
    }),
  );
});

test('I12: a period that somebody else wrote makes no line of a paragraph', () => {
  const summary = summaryOf([group(unit('user', 'You must go on.'))]);
  const period = '\n<!--DISCARD_BLOCK:x-->\n';
  const text = paragraphText({ ...summary, record: { ...summary.record, period } });
  assert.ok(!/[\n\r]/.test(text));
  assert.deepEqual(scanDeclarations(text), []);
  assert.match(paragraphText(summary), /^Earlier, "[^"]*" \(unknown\)\. /);
});

test('what is being worked on stays whole, however many tools it takes', () => {
  const asked = user(`Please look into it ${words(30, 'q')}`);
  const tools = Array.from({ length: 40 }, (_, index) => [
    call(`c${index}`),
    result(`c${index}`, words(21, `r${index}`)),
  ]).flat();
  const run = new BudgetRun();
  const made = run.request([...talk(8, 5), asked, ...tools]);
  assert.ok(run.edits.length > 0);
  assert.ok(made.entries.some(({ message }) => JSON.stringify(message) === JSON.stringify(asked)));
  // Once it was answered and something else is asked, it is history like any other.
  const next = run.request([
    ...talk(8, 5),
    asked,
    ...tools,
    assistant('done'),
    user('and now this'),
    ...tools.slice(0, 0),
  ]);
  assert.equal(next.gate, 'sent');
});
