import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
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

test('each API is answered at its own path, streamed and whole, with ids that no other answer has', async context => {
  const asks = [
    ['/v1/messages?beta=true', { stream: true }, /event: message_stop/u],
    ['/v1/messages', {}, /"type":"message"/u],
    ['/v1/responses', { stream: true }, /event: response\.completed/u],
    ['/v1/responses', {}, /"object":"response"/u],
    ['/v1beta/models/g:streamGenerateContent?alt=sse', {}, /"finishReason":"STOP"/u],
    ['/v1beta/models/g:generateContent', {}, /"modelVersion":"g"/u],
    ['/v1/chat/completions', { stream: true }, /\[DONE\]/u],
  ] as const;
  const model = await startScriptedModel(asks.map(() => ({ text: 'said' })));
  context.after(() => model.close());
  const ids = new Set<string>();
  for (const [path, body, expected] of asks) {
    const response = await fetch(`${model.origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await response.text();
    assert.match(text, expected);
    ids.add(/"(?:id|responseId)":"([^"]+)"/u.exec(text)?.[1] ?? '');
  }
  assert.equal(ids.size, asks.length);
});

test('titles and what else agents ask take no answer of the script', async context => {
  const model = await startScriptedModel([{ text: 'scripted' }], { title: 'A title' });
  context.after(() => model.close());
  const post = async (path: string, body: object): Promise<string> =>
    (await fetch(`${model.origin}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
  assert.match(await post('/v1/messages', { messages: [] }), /A title/u);
  assert.match(await post('/v1/messages/count_tokens', { tools: [{}] }), /input_tokens/u);
  assert.equal((await fetch(`${model.origin}/`, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(`${model.origin}/v1/models`)).status, 200);
  assert.equal((await fetch(`${model.origin}/v1/unknown`)).status, 404);
  assert.equal(model.left, 1);
  assert.match(await post('/v1/messages', { tools: [{ name: 't' }] }), /scripted/u);
  assert.deepEqual([model.requests.length, model.others.length], [1, 5]);
});

test('a body is kept as it came and as its text', async context => {
  const model = await startScriptedModel([{ text: 'x' }]);
  context.after(() => model.close());
  const body = gzipSync('{"model":"m"}');
  const headers = { 'content-encoding': 'gzip' };
  await (await fetch(`${model.baseUrl}/responses`, { method: 'POST', body, headers })).text();
  const [request] = model.requests;
  assert.equal(request?.body, '{"model":"m"}');
  assert.deepEqual(request.bytes, body);
  assert.equal(request.sha256, createHash('sha256').update(body).digest('hex'));
});

test('the next piece of a stream is written when it is released, and not before', async context => {
  const gates = Array.from({ length: 20 }, gate);
  const asked: number[] = [];
  const released = async (piece: number): Promise<void> => {
    asked.push(piece);
    await gates[piece]?.opened;
  };
  const model = await startScriptedModel([{ text: 'said', released }]);
  context.after(() => model.close());
  const response = await fetch(`${model.origin}/v1/messages`, { method: 'POST', body: '{"stream":true}' });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const pieces: string[] = [];
  for (;;) {
    gates[pieces.length]?.open();
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    pieces.push(Buffer.from(value).toString());
    assert.ok(asked.length <= pieces.length + 1);
  }
  assert.equal(pieces.length, asked.length);
  assert.match(pieces.at(-1) ?? '', /message_stop/u);
});

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
  }[];
  readonly usage?: { readonly prompt_tokens_details: { readonly cached_tokens: number } };
}
