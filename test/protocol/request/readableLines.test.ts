import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../../protocol/request/json.ts';
import { messageTitle, toolTitle } from '../../../protocol/request/partTitles.ts';
import { readableLines } from '../../../protocol/request/readableLines.ts';

test('readable lines differ where values differ', () => {
  const word = fc.constantFrom(
    '',
    'a',
    ' a',
    'a ',
    '- a',
    'a: b',
    'a:',
    '|',
    '|-',
    '"a"',
    '[]',
    '{}',
    '1',
    '-1',
    'true',
    'a\n',
    'a\nb',
    '\n',
    '\r',
    'null',
    'x-y',
    '\\n',
  );
  const { value } = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.constantFrom<Json>(null, true, false, 0, 1, -1, 1.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, value, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      assert.equal(readableLines(one).join('\n') === readableLines(other).join('\n'), isSame);
    }),
    { numRuns: 5_000 },
  );
  assert.deepEqual(
    readableLines({ role: 'user', content: [{ type: 'text', text: '<!--ephemeral-->\nline 1\nline 2\nline 3\n' }] }),
    [
      'role: user',
      'content:',
      '  - type: text',
      '    text: |',
      '      <!--ephemeral-->',
      '      line 1',
      '      line 2',
      '      line 3',
    ],
  );
});

test('a tool is called by its name, wherever it stands; a message by its role and what it holds besides text', () => {
  assert.deepEqual(
    [{ name: 'a' }, { function: { name: 'b' } }, { type: 'c' }, {}, null].map(tool => toolTitle(tool)),
    ['a', 'b', 'c', 'tool', 'tool'],
  );
  assert.equal(messageTitle({ role: 'user', content: 'x' }), 'user');
  assert.equal(
    messageTitle({ role: 'assistant', content: [{ type: 'text' }, { type: 'tool-call' }, { type: 'tool-call' }, 1] }),
    'assistant (tool-call, part)',
  );
  assert.equal(messageTitle({}), 'message');
});

test('a text alone that looks like a list or a member has quotes', () => {
  assert.notDeepEqual(readableLines('- a'), readableLines(['a']));
  assert.notDeepEqual(readableLines('a: b'), readableLines({ a: 'b' }));
});
