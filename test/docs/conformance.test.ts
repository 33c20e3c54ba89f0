import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readPage, sectionsOf, tableRows } from './pages.ts';
import { assertAllRead, assertTestsExist, provenRows } from './provenRows.ts';
import { testTitles } from './testTitles.ts';

/** The seeds as they were given, a sentence or a part of one a line, headings with `#`; and the SHA-256 of each file. */
const SEEDS = [
  ['1-context-lifecycle-protocol-v1.txt', '75cec7dd1673da2e664faab64e465d4a6cec759ac46a012e7ce7d5db7410cb57'],
  ['2-request-header-log-and-session-prefix.txt', 'f8353a01e9f82ff4b8f378d8f415a4363c8251d0df6ece48dd932f22660a4855'],
  ['3-million-token-context-protocol.txt', '7c328fd51eb0042c09730e8aa43ce8366b18082d9c3a6269d2d5c4af83339aff'],
] as const;

/** The last section is about agents, and has a test of its own; before it stand rules of ours, by their numbers. */
const [whole = ''] = readPage('docs/conformance.md').split('## Which sentences hold for which agent');
const [page = '', ours = ''] = whole.split('## What seed 3 leaves open');
const rows = provenRows(page);
const ourRows = provenRows(ours);

function linesOf(seed: string): readonly string[] {
  return readPage(`test/fixtures/seeds/${seed}`).trimEnd().split('\n');
}

test('the seeds are kept word by word', () => {
  for (const [seed, digest] of SEEDS) {
    const text = readPage(`test/fixtures/seeds/${seed}`);
    assert.equal(createHash('sha256').update(text).digest('hex'), digest, seed);
  }
});

test('every sentence of the seeds is on the page once, in its order, below the heading that it has in its seed', () => {
  const expected = SEEDS.flatMap(([seed]) => linesOf(seed).filter(line => !line.startsWith('#')));
  assert.deepEqual(
    rows.map(({ sentence }) => sentence),
    expected.map(line => line.replace(/^- /, '')),
  );
  const headings = SEEDS.flatMap(([seed]) => linesOf(seed).filter(line => line.startsWith('## ')));
  assert.deepEqual(
    sectionsOf(page)
      .filter(({ level }) => level === 3)
      .map(({ title }) => `## ${title}`),
    headings,
  );
  for (const { title, text } of sectionsOf(page).filter(({ level }) => level === 3)) {
    const [seed] = SEEDS.find(([name]) => linesOf(name).includes(`## ${title}`)) ?? [];
    const after = linesOf(seed ?? '').slice(linesOf(seed ?? '').indexOf(`## ${title}`) + 1);
    const end = after.findIndex(line => line.startsWith('## '));
    assert.equal(tableRows(text).length, end < 0 ? after.length : end, title);
  }
});

test('every test that the page names exists, once', () => {
  const named = rows.flatMap(({ tests }) => tests);
  assert.ok(named.length > 150, `${named.length} files named`);
  assertTestsExist([...rows, ...ourRows]);
});

test('no rule of ours is dropped: T-01 to T-54 and I1 to I13, each with a test that bears its number', () => {
  const numbered = ourRows.flatMap(row => {
    const number = /^(?:T-|I)\d+(?=: )/.exec(row.sentence)?.[0];
    return number === undefined ? [] : [{ number, ...row }];
  });
  const numbers = (count: number, name: (number: number) => string) =>
    Array.from({ length: count }, (_, index) => name(index + 1));
  assert.deepEqual(
    numbered.map(({ number }) => number),
    [...numbers(54, number => `T-${String(number).padStart(2, '0')}`), ...numbers(13, number => `I${number}`)],
  );
  for (const { number, tests } of numbered) {
    const bearsNumber = new RegExp(`\\b${number}\\b`);
    assert.ok(
      tests.some(([, titles]) => titles.some(title => bearsNumber.test(title))),
      number,
    );
  }
  assert.ok(ourRows.length > numbered.length + 10);
  for (const { sentence, tests } of ourRows) {
    assert.ok(tests.length > 0, sentence);
  }
});

test('no row is empty: a sentence has tests, or says which kind it is that needs none', () => {
  const kinds = /^(?:Withdrawn|Upstream’s own|No rule)\b/;
  const bare = rows.filter(({ tests }) => tests.length === 0);
  for (const { sentence, proof } of bare) {
    assert.match(proof, kinds, sentence);
  }
  // A rule can be moved among these only here.
  assert.deepEqual(
    bare.map(({ sentence }) => sentence.split(' ').slice(0, 3).join(' ')),
    [
      'The four tag',
      'the rules are',
      'Source: three commit',
      'Review discussion converged',
      'the tail slot',
      'No shipped producer',
      'SessionEventMap paste and',
      'Source: Clawpedia (clawpedia.io),',
      'This protocol defines',
      'Protocol version: 2.1',
    ],
  );
});

test('every path and title in a proof is read as one: nothing is named in another form', () => {
  assertAllRead([...rows, ...ourRows]);
});

test('titles are found in every form of the call, as they stand in the code', () => {
  assert.ok(testTitles('test/docs/conformance.test.ts').includes('the seeds are kept word by word'));
  assert.ok(testTitles('test/protocol/budget/laws.test.ts').some(title => title.startsWith('I13 a view')));
  assert.ok(testTitles('test/protocol/request/codec.test.ts').some(title => title.includes('${JSON.stringify(prev)')));
  assert.ok(testTitles('test/agents/pi/print.test.ts').includes('no request leaves when the view cannot be built'));
  assert.ok(testTitles('test/protocol/request/seedTwo.test.ts').some(title => title.includes("request's system")));
});
