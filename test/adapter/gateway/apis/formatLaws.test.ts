import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frozenCopy } from '../../../../protocol/request/frozenCopy.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { ALL, anthropic, anyObject, google, openaiChat, openaiResponses, type Spoken, TOMBSTONE } from './apisKit.ts';

const text = fc.constantFrom('one', 'two\n', '<!--ephemeral-->\nSECRET', 'é😀', '');
const id = fc.constantFrom('a', 'b', 'c');
const mark = fc.constantFrom({}, { cache_control: { type: 'ephemeral' } });

function part(...types: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(fc.constantFrom(...types), text, mark)
    .map(([type, words, marked]) => ({ type, text: words, ...marked }));
}

const image = fc.constant({ type: 'image', source: { type: 'base64', data: 'AAE=' } });

const anthropicMessage = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(
    text,
    fc.array(
      fc.oneof(
        part('text'),
        image,
        fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
        fc.record({ type: fc.constant('tool_use'), id, name: fc.constant('Bash'), input: fc.constant({ a: 1 }) }),
        fc
          .record({ tool_use_id: id, content: fc.oneof(text, fc.array(fc.oneof(part('text'), image))), marked: mark })
          .map(({ marked, ...result }) => ({ type: 'tool_result', ...result, is_error: true, ...marked })),
      ),
    ),
  ),
});

const responsesItem = fc.oneof(
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'developer'),
    content: fc.oneof(text, fc.array(part('input_text', 'output_text'))),
  }),
  fc.record({
    type: fc.constantFrom('function_call_output', 'custom_tool_call_output'),
    id: text,
    call_id: id,
    output: fc.oneof(text, fc.array(fc.oneof(part('input_text'), image))),
  }),
  fc.record({ type: fc.constantFrom('function_call', 'reasoning', 'web_search_call', 'new'), call_id: id, name: text }),
);

const chatMessage = fc.record({
  role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'function'),
  name: text,
  tool_call_id: id,
  content: fc.oneof(text, fc.array(fc.oneof(part('text'), image)), fc.constant(null)),
  tool_calls: fc.array(fc.record({ id, type: fc.constant('function') })),
});

const geminiContent = fc.record({
  role: fc.constantFrom('user', 'model', 'function'),
  parts: fc.array(
    fc.oneof(
      fc.record({ text }),
      fc.record({ text, thought: fc.constant(true), thoughtSignature: text }),
      fc.record({ inlineData: fc.constant({ mimeType: 'image/png', data: 'AAE=' }) }),
      fc.record({ functionCall: fc.record({ name: id, args: fc.constant({ x: 1 }) }) }),
      fc.record({
        functionResponse: fc.record({
          id,
          name: id,
          response: fc.oneof(
            fc.record({ output: text }),
            fc.record({ error: text, at: fc.constant(3) }),
            fc.constant({}),
          ),
        }),
      }),
    ),
  ),
});

const plausible: readonly (readonly [Spoken, fc.Arbitrary<object>])[] = [
  [anthropic, anthropicMessage],
  [openaiResponses, responsesItem],
  [openaiChat, chatMessage],
  [google, geminiContent],
];

for (const { api } of ALL) {
  test(`${api.name}: any object is described and changed without an error, and the log names the format as the API`, () => {
    assert.equal(api.format.name, api.name);
    fc.assert(
      fc.property(anyObject, fc.integer({ min: 0, max: 3 }), (message, index) => {
        const frozen = frozenCopy(message);
        const { units } = api.format.describe(frozen);
        assert.deepEqual(api.format.withContents(frozen, new Map()), message);
        api.format.withContents(frozen, new Map([[index, TOMBSTONE]]));
        assert.ok(units.every(unit => unit.texts.every(words => typeof words === 'string')));
      }),
      { numRuns: 2000 },
    );
  });

  test(`${api.name}: the blocks' message is a user's, of one unit with that text`, () => {
    const { role, units } = api.format.describe(api.format.userMessage('blocks'));
    assert.deepEqual([role, units.map(unit => unit.texts)], ['user', [['blocks']]]);
  });
}

for (const [{ api }, messages] of plausible) {
  test(`${api.name}: a tombstone takes the place of one unit's content, and nothing else is another`, () => {
    let replaced = 0;
    fc.assert(
      fc.property(messages, any => {
        const message = frozenCopy(JSON.parse(JSON.stringify(any)) as JsonObject);
        const before = api.format.describe(message);
        for (const [index, unit] of before.units.entries()) {
          if (unit.texts.length === 0) {
            continue;
          }
          replaced++;
          const changed = api.format.withContents(message, new Map([[index, TOMBSTONE]]));
          const after = api.format.describe(changed);
          assert.equal(after.role, before.role);
          assert.deepEqual(after.calls, before.calls);
          assert.equal(after.units.length, before.units.length);
          for (const [place, { content, texts, ...rest }] of after.units.entries()) {
            const { content: contentBefore, texts: textsBefore, ...restBefore } = before.units[place] ?? unit;
            assert.deepEqual(rest, restBefore);
            assert.deepEqual(texts, place === index ? [TOMBSTONE] : textsBefore);
            if (place !== index) {
              assert.deepEqual(content, contentBefore);
            }
          }
          assert.deepEqual(withoutContent(changed), withoutContent(message));
          assert.deepEqual(Object.keys(changed), Object.keys(message));
          assert.deepEqual(marks(changed), marks(message));
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(replaced > 200);
  });
}

/** All members but those that hold contents. */
function withoutContent({ content: _content, parts: _parts, output: _output, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Whether a cache mark stands in the message: what covers a part covers what stands for it. */
function marks(message: JsonObject): boolean {
  return JSON.stringify(message).includes('cache_control');
}
