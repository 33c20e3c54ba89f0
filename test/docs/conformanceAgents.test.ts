import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPage, root, sectionsOf, tableRows } from './pages.ts';
import { assertTestsExist, testsIn } from './provenRows.ts';

const section = sectionsOf(readPage('docs/conformance.md')).find(
  ({ title }) => title === 'Which sentences hold for which agent',
)?.text as string;
const rows = tableRows(section);
/** By number, from 1. */
const listed = [...section.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, line = '']) => ({
  number: Number(number),
  sentence: line,
  proof: line,
  tests: testsIn(line),
}));
const AGENTS = ['Claude Code', 'Codex', 'Gemini CLI', 'pi', 'opencode', 'AI SDK'];

test('issue 5: the page says for each agent which sentences hold, and with which test', () => {
  assert.ok(section.includes(`| Sentence | ${AGENTS.join(' | ')} |`));
  assert.ok(rows.length > 10);
  for (const [sentence, ...cells] of rows) {
    assert.equal(cells.length, AGENTS.length, sentence);
    for (const cell of cells) {
      assert.match(
        cell,
        /^(?:\(?\d+\)?(?:, (?:\(?\d+\)?|to come))*|to come|not reported|the program’s own|one middleware for each|the agent makes the body|report only)$/,
      );
    }
  }
});

test('issue 5: the sentences are those of the protocol, or are said to be ours', () => {
  const seed = readPage('test/fixtures/seeds/1-context-lifecycle-protocol-v1.txt')
    .split('\n')
    .map(line => line.replace(/^- /, ''));
  for (const [sentence = ''] of rows) {
    assert.ok(sentence.startsWith('*Ours:* ') || seed.includes(sentence), sentence);
  }
});

test('issue 5: every number is that of a test, every test is used, and those with a real agent stand without brackets', () => {
  const used = rows.flatMap(cells => cells.slice(1)).flatMap(cell => [...cell.matchAll(/\(?(\d+)\)?/g)]);
  assert.deepEqual(
    listed.map(({ number }) => number),
    listed.map((_, index) => index + 1),
  );
  assert.deepEqual(
    [...new Set(used.map(([, number]) => Number(number)))].toSorted((a, b) => a - b),
    listed.map(({ number }) => number),
  );
  for (const [whole, number] of used) {
    const [file = ''] = listed[Number(number) - 1]?.tests[0] ?? [];
    assert.equal(whole.startsWith('('), !file.startsWith('test/agents/'), `${whole} ${file}`);
  }
  for (const { sentence, tests } of listed) {
    assert.equal(tests.length, 1, sentence);
  }
  assertTestsExist(listed);
});

test('issue 5: each agent behind the gateway runs every scenario that the table names', () => {
  const named = listed.flatMap(({ tests }) => tests.map(([file]) => file)).filter(file => !file.endsWith('.test.ts'));
  assert.deepEqual([...new Set(named)].toSorted(), [
    'test/agents/gateway/budget.ts',
    'test/agents/gateway/failures.ts',
    'test/agents/gateway/scenarios.ts',
  ]);
  for (const folder of ['test/agents/claudeCode', 'test/agents/codex', 'test/agents/all/gemini']) {
    const code = readdirSync(join(root, folder))
      .filter(name => name.endsWith('.test.ts'))
      .map(name => readPage(join(folder, name)))
      .join('\n');
    for (const scenario of ['proveConversation(', 'proveState(', 'proveRetries(', 'proveRefusal(', 'proveBudget(']) {
      assert.ok(code.includes(`\n${scenario}`), `${folder}: ${scenario}`);
    }
  }
});
