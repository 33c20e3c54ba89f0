import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallParams, StreamPart } from '../../../adapter/agents/aiSdk/aiSdkApi.ts';
import { aiSdkFormat } from '../../../adapter/agents/aiSdk/aiSdkFormat.ts';
import { type ContextLifecycleOptions, middleware } from '../../../adapter/agents/aiSdk/middleware.ts';
import type { Sealed, SessionOptions } from '../../../adapter/sessionTypes.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { type FakeSession, fakeSession } from './fakeSession.ts';

const never = () => assert.fail('the model is not asked again');
const model = { provider: 'p', modelId: 'm', doGenerate: never, doStream: never };
const user = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const call: CallParams = { prompt: [user] };
const usage = {
  inputTokens: { total: 7, noCache: 2, cacheRead: 5, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
};

function made(options: Partial<ContextLifecycleOptions> = {}) {
  const fake = fakeSession();
  const lifecycle = middleware({ onNotice: () => undefined, ...options }, async () => fake.session);
  return { fake, lifecycle };
}

function asked({ calls }: FakeSession, name: string): readonly (readonly unknown[])[] {
  return calls.filter(([called]) => called === name).map(([, ...args]) => args);
}

/** Seals the messages with one of them changed, as a tombstone changes it. */
function tombstoneIn(place: number, unit: number): (input: { messages: readonly JsonObject[] }) => Partial<Sealed> {
  return ({ messages }) => ({
    messages: messages.map((message, index) =>
      index === place ? aiSdkFormat.withContents(message, new Map([[unit, 'T']])) : message,
    ),
    origins: messages.map((_, index) => (index === place ? undefined : index)),
  });
}

test('system messages, tools and the rest of a call are sealed apart, without headers and signals', async () => {
  const { fake, lifecycle } = made();
  const params = {
    prompt: [{ role: 'system', content: 'S' }, user],
    tools: [{ type: 'function', name: 't', inputSchema: {} }],
    temperature: 0,
    topP: undefined,
    headers: { authorization: 'secret' },
    abortSignal: new AbortController().signal,
  };
  const { prompt } = await lifecycle.transformParams({ params, model });
  assert.deepEqual(prompt, params.prompt);
  const [[input]] = asked(fake, 'buildRequest') as [[Record<string, unknown>]];
  assert.equal(input['system'], 'S');
  assert.deepEqual(input['messages'], [user]);
  assert.deepEqual(input['tools'], params.tools);
  assert.deepEqual(input['config'], { provider: 'p', model: 'm', temperature: 0 });
  assert.doesNotMatch(JSON.stringify(input), /secret/);
});

test('messages that did not change are the very objects of the host, bytes and addresses included', async () => {
  const { fake, lifecycle } = made();
  const file = {
    role: 'user',
    content: [
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 255]) },
      { type: 'file', mediaType: 'image/png', data: new URL('https://example.org/a.png') },
    ],
  };
  const params: CallParams = { prompt: [file, user] };
  const { prompt } = await lifecycle.transformParams({ params, model });
  assert.equal(prompt[0], file);
  assert.equal(prompt[1], user);
  const [[input]] = asked(fake, 'buildRequest') as [[{ messages: unknown[] }]];
  assert.deepEqual(JSON.parse(JSON.stringify(input.messages[0])), {
    role: 'user',
    content: [
      { type: 'file', mediaType: 'image/png', data: { $bytes: 'AQL/' } },
      { type: 'file', mediaType: 'image/png', data: { $url: 'https://example.org/a.png' } },
    ],
  });
});

test('a result that is replaced leaves the bytes of its neighbour as they were', async () => {
  const { fake, lifecycle } = made();
  const bytes = new Uint8Array([1, 2, 255]);
  const image = {
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } }],
  };
  const tool = {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'text', value: 'x' } },
      { type: 'tool-result', toolCallId: 'b', toolName: 't', output: image },
    ],
  };
  fake.next = tombstoneIn(0, 0);
  const { prompt } = await lifecycle.transformParams({ params: { prompt: [tool, user] }, model });
  assert.deepEqual(prompt[0], {
    role: 'tool',
    content: [{ ...tool.content[0], output: { type: 'text', value: 'T' } }, tool.content[1]],
  });
  assert.equal(prompt[1], user);
});

test('a source that the system prompt shows is shown without its definitions, at each place', async () => {
  const text = 'a\n<!--BLOCK_ID:x-->\nb\n<!--/BLOCK_ID:x-->\nc\n';
  const { lifecycle } = made({ sources: [{ source: 'rules', text }] });
  const params: CallParams = {
    prompt: [{ role: 'system', content: `S\n${text}` }, { role: 'system', content: text }, user],
  };
  const { prompt } = await lifecycle.transformParams({ params, model });
  assert.deepEqual(
    prompt.map(({ content }) => content),
    ['S\na\nc\n', 'a\nc\n', user.content],
  );
});

test('a result ends its request with outcome, usage and what the provider says it sent', async () => {
  const { fake, lifecycle } = made();
  const params = await lifecycle.transformParams({ params: call, model });
  const result = { finishReason: { unified: 'stop' }, usage, request: { body: JSON.stringify({ messages: [user] }) } };
  assert.equal(await lifecycle.wrapGenerate({ doGenerate: async () => result, params, model }), result);
  assert.deepEqual(asked(fake, 'response'), [
    [1, { outcome: 'completed', usage: { input: 7, output: 3, cacheRead: 5 }, callsTools: false }],
  ]);
  assert.deepEqual(asked(fake, 'receipt'), [
    [1, { result: 'matched', evidence: '1 of 1 parts found in what was sent' }],
  ]);
});

test('a provider that says nothing of its request has a receipt that says so', async () => {
  const { fake, lifecycle } = made();
  const params = await lifecycle.transformParams({ params: call, model });
  await lifecycle.wrapGenerate({
    doGenerate: async () => ({ finishReason: { unified: 'error' }, usage: {} }),
    params,
    model,
  });
  const [[, receipt]] = asked(fake, 'receipt') as [[number, { result: string }]];
  assert.equal(receipt.result, 'not-reported');
  assert.deepEqual(asked(fake, 'response'), [[1, { outcome: 'failed' }]]);
});

test('a call that throws failed, or was aborted by its signal, and throws on', async () => {
  const { fake, lifecycle } = made();
  for (const aborted of [false, true]) {
    const controller = new AbortController();
    const withSignal: CallParams = { prompt: [user], abortSignal: controller.signal };
    const params = await lifecycle.transformParams({ params: withSignal, model });
    const doGenerate = async () => {
      if (aborted) {
        controller.abort();
      }
      throw new Error('no');
    };
    await assert.rejects(lifecycle.wrapGenerate({ doGenerate, params, model }), /^Error: no$/);
  }
  assert.deepEqual(asked(fake, 'response'), [
    [1, { outcome: 'failed', error: 'no' }],
    [2, { outcome: 'aborted' }],
  ]);
});

function streamOf(parts: readonly (StreamPart | Error)[]): ReadableStream<StreamPart> {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      const part = left.shift();
      if (part instanceof Error) {
        controller.error(part);
      } else if (part) {
        controller.enqueue(part);
      } else {
        controller.close();
      }
    },
  });
}

const finish = { type: 'finish', finishReason: { unified: 'stop' }, usage };
const errorPart = { type: 'error', error: 'x' };
const delta = { type: 'text-delta', delta: 'x' };

for (const [name, parts, outcome] of [
  ['that finishes', [delta, finish], 'completed'],
  ['that ends without its last part', [delta], 'failed'],
  ['with an error part', [delta, errorPart, finish], 'failed'],
  ['that breaks', [delta, new Error('cut')], 'failed'],
] as const) {
  test(`a stream ${name} ${outcome}, once, and is passed on unchanged`, async () => {
    const { fake, lifecycle } = made();
    const params = await lifecycle.transformParams({ params: call, model });
    const { stream } = await lifecycle.wrapStream({
      doStream: async () => ({ stream: streamOf(parts) }),
      params,
      model,
    });
    const seen: StreamPart[] = [];
    const all = (async () => {
      for await (const part of stream) {
        seen.push(part);
      }
    })();
    await (parts.some(part => part instanceof Error) ? assert.rejects(all, /cut/) : all);
    assert.deepEqual(
      seen,
      parts.filter(part => !(part instanceof Error)),
    );
    assert.deepEqual(
      asked(fake, 'response').map(([, ended]) => (ended as { outcome: string }).outcome),
      [outcome],
    );
  });
}

test('a stream that its reader gives up was aborted', async () => {
  const { fake, lifecycle } = made();
  const params = await lifecycle.transformParams({ params: call, model });
  const { stream } = await lifecycle.wrapStream({
    doStream: async () => ({ stream: streamOf([delta, finish]) }),
    params,
    model,
  });
  await stream.cancel();
  assert.deepEqual(asked(fake, 'response'), [[1, { outcome: 'aborted' }]]);
});

test('an answer is not lost because its end could not be logged', async () => {
  const notices: string[] = [];
  const { fake, lifecycle } = made({ onNotice: sentence => notices.push(sentence) });
  fake.session.response = () => {
    throw new Error('The disk is full.');
  };
  const params = await lifecycle.transformParams({ params: call, model });
  const result = { finishReason: { unified: 'stop' }, usage };
  assert.equal(await lifecycle.wrapGenerate({ doGenerate: async () => result, params, model }), result);
  assert.deepEqual(notices, ['The disk is full.']);
});

test('a session belongs to the folder in which the program runs, unless the program says another', async () => {
  const fake = fakeSession();
  const folders: unknown[] = [];
  const open = async ({ cwd }: SessionOptions) => {
    folders.push(cwd);
    return fake.session;
  };
  await middleware({}, open).session();
  await middleware({ cwd: '/srv/app' }, open).session();
  assert.deepEqual(folders, [process.cwd(), '/srv/app']);
});

test('a session that cannot be opened fails the call, and the next call tries again', async () => {
  const fake = fakeSession();
  let tries = 0;
  const lifecycle = middleware({}, async () => {
    tries += 1;
    if (tries === 1) {
      throw new Error('No folder.');
    }
    return fake.session;
  });
  const params: CallParams = { prompt: [user] };
  await assert.rejects(lifecycle.transformParams({ params, model }), /No folder\./);
  await lifecycle.transformParams({ params, model });
  await assert.rejects(middleware({ sources: ['/no/such.md'] }, async () => fake.session).session(), {
    name: 'ContextFileError',
    message: /^The context file \S+such\.md was not loaded, so nothing is sent: ENOENT/,
  });
});

test('a session whose sources cannot be loaded is closed, so that the next call opens the same one', async () => {
  const fake = fakeSession();
  const { loadSource } = fake.session;
  fake.session.loadSource = () => {
    throw new Error('The disk is full.');
  };
  const sources = [{ source: 'a', text: 'x' }];
  const lifecycle = middleware({ sources, onNotice: () => undefined }, async () => fake.session);
  await assert.rejects(lifecycle.transformParams({ params: call, model }), /The disk is full/);
  assert.equal(asked(fake, 'close').length, 1);
  fake.session.loadSource = loadSource;
  assert.deepEqual((await lifecycle.transformParams({ params: call, model })).prompt, call.prompt);
});

test('only a block ID can be discarded', async () => {
  const { fake, lifecycle } = made();
  await assert.rejects(lifecycle.discard('a-->\n<!--DISCARD_BLOCK:b'), TypeError);
  assert.equal(await lifecycle.discard('plan'), 'discarded');
  assert.deepEqual(asked(fake, 'control'), [
    [{ source: 'ai-sdk:discard', class: 'host-workflow', text: '<!--DISCARD_BLOCK:plan-->' }],
  ]);
});

/** A session whose budget layer has learned a limit from this request. */
function hasLearned({ session }: FakeSession, requestSequence: number): void {
  const learned = { tokens: 10, source: 'said', requestSequence, seq: 1, time: 0 };
  Object.assign(session, { state: { ...session.state, budget: { ...session.state.budget, learned } } });
}

/** As the AI SDK's `APICallError`. */
function refusal(isRetryable = false): Error {
  const responseBody = '{"code":"context_length_exceeded"}';
  return Object.assign(new Error('Too long.'), { isRetryable, responseBody });
}

test('T-27 a call that is refused for its length is planned anew and sent once more, never twice', async () => {
  for (const way of ['generate', 'stream'] as const) {
    for (const isRefusedAgain of [false, true]) {
      const { fake, lifecycle } = made();
      const params = await lifecycle.transformParams({
        params: { prompt: [user], temperature: 1 } as CallParams,
        model,
      });
      const calls: CallParams[] = [];
      const first = async () => {
        hasLearned(fake, 1);
        throw refusal();
      };
      const result = { finishReason: { unified: 'stop' }, usage, stream: streamOf([finish]) };
      const again = async (planned: CallParams) => {
        calls.push(planned);
        if (isRefusedAgain) {
          throw refusal();
        }
        return result;
      };
      const asksAgain = { ...model, doGenerate: again, doStream: again };
      const answered =
        way === 'generate'
          ? lifecycle.wrapGenerate({ doGenerate: first, params, model: asksAgain })
          : lifecycle.wrapStream({ doStream: first, params, model: asksAgain });
      await (isRefusedAgain ? assert.rejects(answered, /^Error: Too long\.$/) : answered);
      assert.deepEqual(calls, [{ prompt: [user], temperature: 1 }]);
      assert.equal(asked(fake, 'buildRequest').length, 2);
      const error = 'Too long.\n{"code":"context_length_exceeded"}';
      const failed = (sequence: number) => [sequence, { outcome: 'failed', error }];
      const ends = asked(fake, 'response');
      assert.deepEqual(ends.slice(0, isRefusedAgain ? 2 : 1), isRefusedAgain ? [failed(1), failed(2)] : [failed(1)]);
    }
  }
});

test('a call that fails otherwise is not sent again, nor one whose shorter form cannot be planned', async () => {
  const { fake, lifecycle } = made();
  const params = await lifecycle.transformParams({ params: call, model });
  const doGenerate = async () => {
    throw refusal();
  };
  await assert.rejects(lifecycle.wrapGenerate({ doGenerate, params, model }), /Too long/);
  const next = await lifecycle.transformParams({ params: call, model });
  hasLearned(fake, 2);
  fake.next = () => {
    throw new Error('Request 3 was not sent.');
  };
  await assert.rejects(lifecycle.wrapGenerate({ doGenerate, params: next, model }), /Request 3 was not sent\./);
});

test('an error after which the same call may be made again teaches nothing; one in a stream is reported with its words', async () => {
  const { fake, lifecycle } = made();
  const params = await lifecycle.transformParams({ params: call, model });
  const doGenerate = async () => {
    throw refusal(true);
  };
  await assert.rejects(lifecycle.wrapGenerate({ doGenerate, params, model }));
  const next = await lifecycle.transformParams({ params: call, model });
  const parts = [{ type: 'error', error: { message: 'prompt is too long' } }];
  const { stream } = await lifecycle.wrapStream({
    doStream: async () => ({ stream: streamOf(parts) }),
    params: next,
    model,
  });
  assert.deepEqual((await stream.getReader().read()).value, parts[0]);
  assert.deepEqual(asked(fake, 'response'), [
    [1, { outcome: 'failed' }],
    [2, { outcome: 'failed', error: 'prompt is too long' }],
  ]);
});

test('what the program knows of its model is said with each request', async () => {
  const limits = { window: 8_000, outputReserve: 1_000 };
  const { fake, lifecycle } = made({ limits });
  await lifecycle.transformParams({ params: call, model });
  const [[input]] = asked(fake, 'buildRequest') as [[Record<string, unknown>]];
  assert.deepEqual(input['limits'], limits);
});
