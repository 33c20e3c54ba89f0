import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedSession } from './sessionKit.ts';

const block = (id: string, text: string) => `<!--BLOCK_ID:${id}-->\n${text}\n<!--/BLOCK_ID:${id}-->\n`;

test('issue 3.1: a conflict is a block-id-conflict problem beside its event, said once', async t => {
  const { session } = await checkedSession(t);
  session.loadSource({ source: 'first.md', class: 'context-file', text: block('a', 'one') });
  const second = { source: 'second.md', class: 'context-file', text: block('a', 'two') } as const;
  session.loadSource(second);
  session.loadSource(second);
  const problems = session.state.problems.toArray();
  assert.deepEqual(
    problems.map(({ code, source }) => [code, source]),
    [['block-id-conflict', 'second.md']],
  );
  assert.match(problems[0]?.sentence ?? '', /second\.md.*first\.md/);
});

test('issue 3.1: a source that changed on disk is said to have drifted, and the active content stays', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const source = { source: 'AGENTS.md', class: 'context-file' } as const;
  session.loadSource({ ...source, text: block('a', 'one') });
  session.loadSource({ ...source, text: block('a', 'two') });
  const problems = session.state.problems.toArray();
  assert.deepEqual(
    problems.map(({ code, source: name }) => [code, name]),
    [['source-drifted', 'AGENTS.md']],
  );
  const { messages } = await checked.request([]);
  assert.match(JSON.stringify(messages), /one/);
  session.loadSource({ ...source, text: block('a', 'one') });
  assert.equal(session.state.problems.length, 1);
});
