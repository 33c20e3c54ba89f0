import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpencodeMessage } from '../../../adapter/agents/opencode/opencodeApi.ts';
import { opencodeFormat } from '../../../adapter/agents/opencode/opencodeFormat.ts';
import { seenMessage } from '../../../adapter/agents/opencode/seenMessage.ts';
import { answer, prompt, toolPart } from './opencodeKit.ts';

test('a message is what the model sees of it: what opencode keeps for its own views is left out', () => {
  const message = answer('msg_2', [toolPart('call_1', 'bash', '<!--ephemeral-->\nSECRET\n')]);
  assert.deepEqual(seenMessage(message), {
    info: { id: 'msg_2', role: 'assistant' },
    parts: [
      {
        type: 'tool',
        tool: 'bash',
        callID: 'call_1',
        state: { status: 'completed', input: { command: 'x' }, output: '<!--ephemeral-->\nSECRET\n' },
      },
      { type: 'step-finish', reason: 'tool-calls' },
    ],
  });
});

test('an answer holds its calls and their results, each of which is a unit', () => {
  const { role, units, calls, failed } = opencodeFormat.describe(
    seenMessage(
      answer('msg_2', [{ type: 'text', text: 'I look.' }, toolPart('a', 'bash', 'one'), toolPart('b', 'read', 'two')]),
    ),
  );
  assert.equal(role, 'assistant');
  assert.equal(failed, undefined);
  assert.deepEqual(calls, ['a', 'b']);
  assert.deepEqual(
    units.map(unit => [unit.id, unit.class, unit.source, unit.texts, unit.content, unit.answers]),
    [
      ['msg_2', 'assistant', 'assistant', ['I look.'], 'I look.', undefined],
      ['a', 'tool-result', 'tool:bash', ['one'], 'one', 'a'],
      ['b', 'tool-result', 'tool:read', ['two'], 'two', 'b'],
    ],
  );
});

test('only the content of the units that are named becomes another; attachments of a result go with it', () => {
  const image = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA==' };
  const message = seenMessage(
    answer('msg_2', [toolPart('a', 'bash', 'one'), toolPart('b', 'read', 'two', { attachments: [image] })]),
  );
  const [, , result] = opencodeFormat.describe(message).units;
  assert.deepEqual(result?.content, [{ type: 'text', text: 'two' }, [image]]);
  const changed = opencodeFormat.withContents(message, new Map([[2, 'gone']]));
  assert.deepEqual(
    opencodeFormat.describe(changed).units.map(({ content }) => content),
    [[], 'one', 'gone'],
  );
});

test('a result that failed is a unit too, and stays a failure', () => {
  const failed = seenMessage(answer('msg_2', [toolPart('a', 'bash', '', { status: 'error', error: 'no such file' })]));
  assert.deepEqual(opencodeFormat.describe(failed).units[1]?.texts, ['no such file']);
  const changed = opencodeFormat.withContents(failed, new Map([[1, 'gone']]));
  assert.match(JSON.stringify(changed), /"status":"error","input":.*"error":"gone"/);
});

test('what an interrupted call had printed is its result, and a call without one has none', () => {
  const metadata = { interrupted: true, output: 'half' };
  const parts = [
    toolPart('a', 'bash', '', { status: 'error', error: 'aborted', metadata }),
    toolPart('b', 'bash', '', { status: 'running' }),
  ];
  const { units, calls } = opencodeFormat.describe(seenMessage(answer('msg_2', parts)));
  assert.deepEqual(calls, ['a', 'b']);
  assert.deepEqual(
    units.map(({ texts }) => texts),
    [[], ['half']],
  );
});

test('what opencode cleared itself is what it sends in its place', () => {
  const cleared = toolPart('a', 'bash', 'long ago', { time: { compacted: 5 } });
  const { units } = opencodeFormat.describe(seenMessage(answer('msg_2', [cleared])));
  assert.deepEqual(units[1]?.texts, ['[Old tool result content cleared]']);
});

test('only a whole answer of the model consumes: not one that failed, a summary, or a command that a person runs', () => {
  const failedOf = ({ info, parts }: OpencodeMessage) => opencodeFormat.describe(seenMessage({ info, parts })).failed;
  const whole = answer('msg_2', [{ type: 'text', text: 'x' }]);
  assert.equal(failedOf(whole), undefined);
  assert.equal(failedOf({ ...whole, info: { ...whole.info, error: { name: 'APIError' } } }), true);
  assert.equal(failedOf({ ...whole, info: { ...whole.info, summary: true } }), true);
  // `!command`: opencode writes such an answer itself, and no step of a model stands in it
  assert.equal(failedOf({ ...whole, parts: [toolPart('a', 'bash', 'x')] }), true);
});

test('a summary is of its own class, whatever it says', () => {
  const { info, parts } = answer('msg_2', [{ type: 'text', text: '<!--DISCARD_BLOCK:plan-->' }]);
  const summary = opencodeFormat.describe(seenMessage({ info: { ...info, summary: true }, parts }));
  assert.equal(summary.units[0]?.class, 'summary');
});

test('what opencode adds to a message of the person by itself is read for no tag, but goes with it', () => {
  const parts = [
    { type: 'text', text: 'look at this' },
    { type: 'text', text: '<!--ephemeral-->\nfrom a file', synthetic: true },
    { type: 'text', text: 'only shown', ignored: true },
  ];
  const { info } = prompt('msg_1', '');
  const message = seenMessage({ info, parts });
  const [unit] = opencodeFormat.describe(message).units;
  assert.deepEqual(unit?.texts, ['look at this']);
  assert.match(JSON.stringify(unit?.content), /from a file/);
  assert.doesNotMatch(JSON.stringify(message), /only shown/);
  assert.deepEqual(opencodeFormat.withContents(message, new Map([[0, 'gone']]))['parts'], [
    { type: 'text', text: 'gone' },
  ]);
});
