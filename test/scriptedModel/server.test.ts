import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedModel } from './server.ts';

function ask(baseUrl: string, body: object): Promise<Response> {
  return fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
}

test('the scripted model gives its answers in order, keeps each body byte for byte, and then refuses', async context => {
  const model = await startScriptedModel([{ text: 'one' }, { status: 503 }]);
  context.after(() => model.close());
  const first = (await (await ask(model.baseUrl, { model: 'm', messages: [{ a: 'é\u2028' }] })).json()) as {
    choices: { message: { content: string } }[];
    usage: { prompt_tokens: number };
  };
  assert.equal(first.choices[0]?.message.content, 'one');
  assert.equal(first.usage.prompt_tokens, 100);
  assert.equal((await ask(model.baseUrl, {})).status, 503);
  assert.equal((await ask(model.baseUrl, {})).status, 400);
  assert.equal(model.requests.length, 3);
  assert.equal(model.requests[0]?.body, JSON.stringify({ model: 'm', messages: [{ a: 'é\u2028' }] }));
});

test('a streamed answer holds its text, its tool calls and its usage', async context => {
  const call = { id: 'call_1', name: 'bash', arguments: { command: 'ls' } };
  const usage = { input: 7, output: 3, cacheRead: 5 };
  const model = await startScriptedModel([{ text: 'halves', toolCalls: [call], usage }]);
  context.after(() => model.close());
  const text = await (await ask(model.baseUrl, { stream: true })).text();
  const chunks = text
    .split('\n\n')
    .filter(line => line.startsWith('data: {'))
    .map(line => JSON.parse(line.slice(6)) as Chunk);
  const deltas = chunks.flatMap(chunk => chunk.choices.map(choice => choice.delta));
  assert.equal(deltas.map(delta => delta.content ?? '').join(''), 'halves');
  assert.equal(deltas.flatMap(delta => delta.tool_calls ?? [])[0]?.function.arguments, '{"command":"ls"}');
  assert.equal(chunks.at(-1)?.usage?.prompt_tokens_details.cached_tokens, 5);
  assert.match(text, /data: \[DONE\]\n\n$/);
});

test('a cut answer ends in the middle of the stream', async context => {
  const model = await startScriptedModel([{ text: 'never whole', cut: true }]);
  context.after(() => model.close());
  const response = await ask(model.baseUrl, { stream: true });
  assert.equal(response.status, 200);
  await assert.rejects(response.text());
});

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
  }[];
  readonly usage?: { readonly prompt_tokens_details: { readonly cached_tokens: number } };
}
