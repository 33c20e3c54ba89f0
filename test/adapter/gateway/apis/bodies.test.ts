import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apiFor } from '../../../../adapter/gateway/apis/apiFor.ts';
import { UnreadableBodyError } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import type { Json, JsonObject } from '../../../../protocol/request/json.ts';
import { ALL, anthropic, anyObject, google, openaiChat, openaiResponses } from './apisKit.ts';

test('agents.md trap: token counts, lists of models and other paths are none of the gateway', () => {
  const served = (provider: Parameters<typeof apiFor>[0], path: string) => apiFor(provider, path)?.name;
  assert.equal(served('anthropic', '/v1/messages'), 'anthropic-messages');
  assert.equal(served('anthropic', '/v1/messages/count_tokens'), undefined);
  assert.equal(served('anthropic', '/v1/messages/batches'), undefined);
  assert.equal(served('anthropic', '/'), undefined);
  assert.equal(served('openai', '/v1/messages'), undefined);
  assert.equal(served('openai', '/v1/responses'), 'openai-responses');
  assert.equal(served('openai', '/responses'), 'openai-responses');
  assert.equal(served('openai', '/v1/responses/resp_1'), undefined);
  assert.equal(served('openai', '/v1/chat/completions'), 'openai-chat');
  assert.equal(served('openai', '/chat/completions'), 'openai-chat');
  assert.equal(served('openai', '/v1/models'), undefined);
  for (const version of ['v1', 'v1beta', 'v1alpha']) {
    assert.equal(served('gemini', `/${version}/models/gemini-2.5-flash:generateContent`), 'gemini');
    assert.equal(served('gemini', `/${version}/models/gemini-2.5-flash:streamGenerateContent`), 'gemini');
  }
  assert.equal(served('gemini', '/v1beta/models/gemini-2.5-flash:countTokens'), undefined);
});

test('no way to write a path makes a request for an answer one that goes by unseen', () => {
  const paths: readonly (readonly [Parameters<typeof apiFor>[0], string])[] = [
    ['anthropic', '/v1/messages/'],
    ['anthropic', '/v1/%6Dessages'],
    ['anthropic', '/proxy/V1/Messages'],
    ['anthropic', '/v1/messages;v=1'],
    ['openai', '/api/v1/chat/completions'],
    ['openai', '/v1/Responses/'],
    ['openai', '/v1beta/openai/chat/completions'],
    ['gemini', '/v1/projects/p/locations/l/publishers/google/models/m:generateContent'],
    ['gemini', '/v1beta/models/m%3AstreamGenerateContent/'],
  ];
  for (const [provider, path] of paths) {
    assert.ok(apiFor(provider, path), path);
  }
});

test('a conversation that the provider is to shorten by itself is refused', () => {
  assert.throws(() => apiFor('openai', '/v1/responses/compact')?.split({ input: [] }), /responses\/compact/);
});

for (const { api } of ALL) {
  test(`${api.name}: the parts of a body are all of it and its very values, or it is said what is wrong`, () => {
    fc.assert(
      fc.property(anyObject, fc.array(anyObject), (rest, messages) => {
        for (const body of [rest, { ...rest, messages, input: messages, contents: messages }] as JsonObject[]) {
          try {
            const { list, leading, messages: split, system, systemMember, tools, config } = api.split(body);
            const before = body[list];
            assert.deepEqual(Array.isArray(before) ? before.slice(leading) : split, split);
            assert.ok(!Array.isArray(before) || split.every((one, place) => one === before[leading + place]));
            assert.equal(system === undefined, systemMember === undefined && leading === 0);
            const together: Record<string, Json | undefined> = { ...config, [list]: before };
            if (systemMember !== undefined) {
              together[systemMember] = system;
            }
            if (tools) {
              together['tools'] = tools;
            }
            assert.deepEqual(together, { ...body });
            const names = Object.keys(body).filter(name => name in config);
            assert.deepEqual(Object.keys(config), names);
          } catch (error) {
            assert.ok(error instanceof UnreadableBodyError, String(error));
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test(`${api.name}: a refusal is an error in the API's own form that names us once`, () => {
    for (const sentence of ['The log is full.', 'Context Lifecycle: The log is full.']) {
      const { status, contentType, body } = api.refusal(sentence);
      assert.equal(contentType, 'application/json');
      assert.ok(status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429);
      const { error } = JSON.parse(body) as { readonly error: { readonly message: string } };
      assert.equal(error.message, 'Context Lifecycle: The log is full.');
    }
  });
}

test('Claude Code tries a 400 and a 422 six times (measured), so it is refused with 412', () => {
  assert.equal(anthropic.api.refusal('x').status, 412);
});

test('a system prompt is found wherever an API keeps it', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const list = [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }];
  assert.deepEqual(anthropic.api.split({ model: 'm', system: list, messages, stream: true }), {
    list: 'messages',
    leading: 0,
    messages,
    system: list,
    systemMember: 'system',
    config: { model: 'm', stream: true },
  });
  const contents = [{ parts: [{ text: 'hi' }] }];
  for (const member of ['systemInstruction', 'system_instruction']) {
    const { system, systemMember } = google.api.split({ contents, [member]: { parts: [] } });
    assert.deepEqual([system, systemMember], [{ parts: [] }, member]);
  }
  assert.equal(openaiResponses.api.split({ input: [], instructions: 's' }).system, 's');
  assert.deepEqual(openaiResponses.api.split({ input: [], instructions: null }).config, { instructions: null });
  const plain = { role: 'system', content: 's' };
  const named = { role: 'developer', content: 't', name: 'n' };
  assert.equal(openaiChat.api.split({ messages: [plain, ...messages] }).system, 's');
  assert.deepEqual(openaiChat.api.split({ messages: [plain, named, ...messages, plain] }), {
    list: 'messages',
    leading: 2,
    messages: [...messages, plain],
    system: [plain, named],
    config: {},
  });
  assert.deepEqual(openaiChat.api.split({ messages: [named] }).system, [named]);
});

test('a list that is none is made of what is there', () => {
  const { messages } = openaiResponses.api.split({ input: 'hi' });
  assert.deepEqual(openaiResponses.api.format.describe(messages[0] as JsonObject).units[0]?.texts, ['hi']);
  assert.deepEqual(google.api.split({ contents: { parts: [{ text: 'hi' }] } }).messages, [{ parts: [{ text: 'hi' }] }]);
});

test('a request whose history the provider keeps is not taken, since nobody can tell what the model is sent', () => {
  const kept: readonly JsonObject[] = [
    { input: 'go on', previous_response_id: 'resp_1' },
    { input: 'go on', conversation: { id: 'conv_1' } },
    { input: [{ type: 'item_reference', id: 'msg_1' }] },
  ];
  for (const body of kept) {
    assert.throws(() => openaiResponses.api.split(body), /the provider keeps .*Set "store" to false/u);
  }
  openaiResponses.api.split({ input: 'go on', previous_response_id: null, store: false });
});
