import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestAddress, requestQuery } from '../../../client/request/requestAddress.ts';
import { requestDocument, requestJson } from '../../../client/request/requestDocument.ts';
import { HASH } from '../../protocol/log/sessions.ts';
import { AGENTS, activated, request, sessionOf, wording } from '../views/kit.ts';

const session = sessionOf([activated('house-rules'), activated('planning', 1, AGENTS, 21), ...request(1, 3)]);

const sealed = {
  config: { model: 'scripted-1', maxTokens: 4096 },
  system: 'You are a coding agent.\nBe kind.',
  tools: [{ name: 'read_file', description: 'Read a file.' }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'The project lies in /w.' }] },
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: '<!--BLOCK_ID:house-rules-->\nBe terse.\n<!--/BLOCK_ID:house-rules-->\n<!--BLOCK_ID:planning-->\nPlan.\n<!--/BLOCK_ID:planning-->\n',
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'What is this?\n<!--BLOCK_ID:planning-->\n' }] },
  ],
};

function documentOf(value: unknown, content: 'full' | 'hashes' = 'full') {
  return requestDocument(session, 1, { text: JSON.stringify(value), hash: HASH, content }, wording);
}

test('a request reads as what is known of it, then part by part, each below its own line so that it folds', () => {
  assert.deepEqual(documentOf(sealed).text.split('\n'), [
    'Request 1 of demo · to-do',
    '  sealed: t1005, turn 1, step 1',
    `  sha256: ${HASH}`,
    '  size: 1.5 kB, messages: 3',
    '  tokens: ≈1,100 tokens · system prompt ~20 · tools ~200 · prefix ≈300 · messages ~581 · unattributed -1',
    '  receipt: what left is what was sealed',
    '  answer: completed · input 1,200 · output 55',
    '',
    'config  39 bytes',
    '  model: scripted-1',
    '  maxTokens: 4096',
    '',
    'system  35 bytes',
    '  |-',
    '    You are a coding agent.',
    '    Be kind.',
    '',
    'tools  1 · 51 bytes',
    '  [1] read_file  49 bytes',
    '    name: read_file',
    '    description: Read a file.',
    '',
    'messages  3 · 357 bytes',
    '  [1] user  76 bytes',
    '    role: user',
    '    content:',
    '      - type: text',
    '        text: The project lies in /w.',
    '  [2] user · the active blocks  183 bytes',
    '    role: user',
    '    content:',
    '      - type: text',
    '        text: |',
    '          <!--BLOCK_ID:house-rules-->',
    '          Be terse.',
    '          <!--/BLOCK_ID:house-rules-->',
    '          <!--BLOCK_ID:planning-->',
    '          Plan.',
    '          <!--/BLOCK_ID:planning-->',
    '  [3] user  94 bytes',
    '    role: user',
    '    content:',
    '      - type: text',
    '        text: |',
    '          What is this?',
    '          <!--BLOCK_ID:planning-->',
    '',
  ]);
});

test('blocks are found in the message that the adapter composed, and not where somebody quotes a tag', () => {
  const { text, blocks } = documentOf(sealed);
  const lines = text.split('\n');
  assert.deepEqual(
    blocks.map(({ blockId, line }) => [blockId, lines[line]?.trim(), line]),
    [
      ['house-rules', '<!--BLOCK_ID:house-rules-->', 33],
      ['planning', '<!--BLOCK_ID:planning-->', 36],
    ],
  );
});

test('a block that this session does not know makes no message one of blocks', () => {
  const messages = [{ role: 'user', content: '<!--BLOCK_ID:other-->\nx\n<!--/BLOCK_ID:other-->\n' }];
  const { text, blocks } = documentOf({ config: {}, messages });
  assert.deepEqual(blocks, []);
  assert.doesNotMatch(text, /the active blocks/);
});

test('characters that end a line in an editor, or are obeyed, are shown by their number', () => {
  const { text } = documentOf({ config: {}, messages: [{ role: 'user', content: 'a\rb\u2028c\u0000d\te\u202ef' }] });
  assert.match(text, /^ {4}content: a\\u\{d\}b\\u\{2028\}c\\u\{0\}d\te\\u\{202e\}f$/m);
});

test('a log that keeps no content says so', () => {
  assert.match(documentOf(sealed, 'hashes').text, /^ {2}Hashes stand in place of its content\.$/m);
});

test('a text that is no JSON is shown as it is', () => {
  const broken = { text: '{"a":', hash: HASH, content: 'full' } as const;
  assert.equal(requestDocument(session, 1, broken, wording).text, '{"a":');
  assert.equal(requestJson(broken), '{"a":');
});

test('the raw form is the same JSON, one member a line, in the same order', () => {
  const json = requestJson({ text: JSON.stringify(sealed), hash: HASH, content: 'full' });
  assert.equal(JSON.stringify(JSON.parse(json)), JSON.stringify(sealed));
  assert.ok(json.split('\n').length > 20);
});

test('the address of a document names session, request and form, and anything else is none', () => {
  const address = { session: 'a/b?c#d', request: 7, form: 'json' } as const;
  assert.deepEqual(requestAddress(requestQuery(address)), address);
  for (const query of ['', '{}', '[]', '["a","7","text"]', '["a",7,"html"]', 'null', '["a",7.5,"text"]']) {
    assert.equal(requestAddress(query), undefined);
  }
});

test('issue 4: a message of the history that begins like the blocks is none of them where the log says what is prefix', () => {
  const known = sessionOf([activated('planning'), ...request(1, 2, { prefixMessages: 1 })]);
  const quoted = { role: 'user', content: '<!--BLOCK_ID:planning-->\nPlan.' };
  const blocksOf = (...messages: readonly unknown[]) =>
    requestDocument(known, 1, { text: JSON.stringify({ messages }), hash: HASH, content: 'full' }, wording).blocks;
  assert.deepEqual(blocksOf({ role: 'user', content: 'contributed' }, quoted), []);
  assert.equal(blocksOf(quoted, { role: 'user', content: 'hello' }).length, 1);
});

test('issue 4: a message of half a million lines is shown', () => {
  const sealed = { text: JSON.stringify({ messages: [{ role: 'tool', content: 'x\n'.repeat(500_000) }] }) };
  const { text } = requestDocument(sessionOf(request(1, 1)), 1, { ...sealed, hash: HASH, content: 'full' }, wording);
  assert.equal(text.split('\n').filter(line => line.trim() === 'x').length, 500_000);
});
