import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { SpokenAnswer } from '../../../scriptedModel/answer.ts';
import {
  ALL,
  anthropic,
  anyObject,
  ended,
  google,
  OK,
  OK_JSON,
  openaiChat,
  openaiResponses,
  type Spoken,
} from './apisKit.ts';

const VOICE = { model: 'm', number: 1 };
const SAID: SpokenAnswer = {
  thinking: 'hm',
  text: 'Größe 😀',
  toolCalls: [{ id: 'call_1', name: 'bash', arguments: { command: 'ls 😀' } }],
  usage: { input: 50, output: 7, cacheRead: 20, cacheWrite: 10 },
};
const ONLY_TEXT: SpokenAnswer = { text: 'done' };
/** Only Anthropic's API says what was written to the cache. */
const numbers = ({ api }: Spoken) => ({
  input: 50,
  output: 7,
  cacheRead: 20,
  ...(api.name === 'anthropic-messages' && { cacheWrite: 10 }),
});

for (const spoken of ALL) {
  const { api, model } = spoken;
  const completed = { outcome: 'completed', usage: numbers(spoken), callsTools: true };
  const stream = Buffer.from(model.pieces(SAID, VOICE).join(''));

  test(`${api.name}: a whole answer is completed, with its numbers and whether it calls tools`, () => {
    assert.deepEqual(ended(api.answer(OK), [stream]), completed);
    assert.deepEqual(ended(api.answer(OK_JSON), [model.whole(SAID, VOICE)]), completed);
    assert.equal(ended(api.answer(OK), model.pieces(ONLY_TEXT, VOICE)).callsTools, false);
    assert.equal(ended(api.answer(OK_JSON), [model.whole(ONLY_TEXT, VOICE)]).callsTools, false);
  });

  test(`${api.name}: it does not matter where a stream is parted, nor how its lines end, nor what else stands in it`, () => {
    const variants = [
      stream,
      Buffer.from(stream.toString().replaceAll('\n', '\r\n')),
      Buffer.from(stream.toString().replaceAll('\n', '\r')),
      Buffer.from(`\uFEFF: hello\n\n${stream.toString().replaceAll('\n\n', '\n\n: ping\nretry: 3\nid: 1\n\n')}`),
      Buffer.from(stream.toString().replaceAll('data: {', 'data: {\ndata:')),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...variants), fc.array(fc.nat(stream.length * 2)), (bytes, cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        assert.deepEqual(ended(api.answer(OK), pieces), completed);
      }),
    );
    assert.deepEqual(
      ended(
        api.answer(OK),
        Array.from(stream, byte => Uint8Array.of(byte)),
      ),
      completed,
    );
  });

  test(`${api.name}: an answer that is cut at any byte has failed`, () => {
    for (let length = 0; length < stream.length; length++) {
      assert.equal(ended(api.answer(OK), [stream.subarray(0, length)], false).outcome, 'failed', `${length}`);
    }
    const whole = Buffer.from(model.whole(SAID, VOICE));
    for (let length = 0; length < whole.length; length++) {
      for (const isWhole of [true, false]) {
        assert.equal(ended(api.answer(OK_JSON), [whole.subarray(0, length)], isWhole).outcome, 'failed', `${length}`);
      }
    }
    assert.equal(ended(api.answer(OK_JSON), [whole], false).outcome, 'failed');
  });

  test(`${api.name}: an HTTP answer that ends well before its last event has failed too`, () => {
    const pieces = model.pieces(SAID, VOICE);
    // Behind a finish reason, chat still sends its numbers and its last mark.
    const needed = api.name === 'openai-chat' ? pieces.length - 2 : pieces.length;
    for (let count = 0; count < needed; count++) {
      assert.equal(ended(api.answer(OK), pieces.slice(0, count)).outcome, 'failed', `${count} of ${pieces.length}`);
    }
    assert.equal(ended(api.answer(OK), pieces.slice(0, needed)).outcome, 'completed');
  });

  test(`${api.name}: an HTTP error or a redirect has failed, whatever it says`, () => {
    for (const status of [301, 307, 400, 429, 500, 529]) {
      assert.equal(ended(api.answer({ ...OK, status }), [stream]).outcome, 'failed');
    }
    assert.equal(ended(api.answer(OK_JSON), [JSON.stringify(model.error(500, 'x'))]).outcome, 'failed');
  });

  test(`T-27 ${api.name}: what is said of a request that is at fault is told, bounded; what is about who asks is not`, () => {
    const said = JSON.stringify(model.error(400, 'prompt is too long: 210 tokens > 200 maximum'));
    for (const status of [400, 413, 422]) {
      const head = { ...OK_JSON, status };
      assert.deepEqual(ended(api.answer(head), [said.slice(0, 9), said.slice(9)]), { outcome: 'failed', error: said });
      assert.equal(ended(api.answer(head), [`${said}${'x'.repeat(9_000)}`, 'more']).error?.length, 4_000);
    }
    for (const status of [301, 401, 403, 429, 500, 529]) {
      assert.deepEqual(ended(api.answer({ ...OK_JSON, status }), [said]), { outcome: 'failed' });
    }
    assert.match(ended(api.answer(OK_JSON), [said]).error ?? '', /"message":"prompt is too long/);
  });

  test(`${api.name}: a compressed answer is not read, and judged by its end`, () => {
    const headers = { ...OK.headers, 'content-encoding': 'gzip' };
    const bytes = gzipSync(stream);
    assert.deepEqual(ended(api.answer({ status: 200, headers }), [bytes]), { outcome: 'completed' });
    assert.deepEqual(ended(api.answer({ status: 200, headers }), [bytes], false), { outcome: 'failed' });
    assert.deepEqual(ended(api.answer({ status: 500, headers }), [bytes]), { outcome: 'failed' });
    const identity = { ...OK.headers, 'content-encoding': 'identity' };
    assert.deepEqual(ended(api.answer({ status: 200, headers: identity }), [stream]), completed);
  });

  test(`${api.name}: an answer that says no type is known by how it starts`, () => {
    const untyped = { status: 200, headers: {} };
    assert.deepEqual(ended(api.answer(untyped), [' \n', stream]), completed);
    assert.deepEqual(ended(api.answer(untyped), [' \n', model.whole(SAID, VOICE)]), completed);
  });

  test(`${api.name}: an event or an answer that is too large to keep is passed by, and judged by its end`, () => {
    const million = Buffer.alloc(1_000_000, 'x');
    const pieces = [stream.subarray(0, 10), Buffer.from('\ndata: '), ...Array.from({ length: 18 }, () => million)];
    for (const head of [OK, OK_JSON]) {
      assert.deepEqual(ended(api.answer(head), [...pieces, stream]), { outcome: 'completed' });
      assert.deepEqual(ended(api.answer(head), [...pieces, stream], false), { outcome: 'failed' });
    }
  });

  test(`${api.name}: no stream and no JSON makes a reader throw`, () => {
    fc.assert(
      fc.property(fc.array(anyObject), fc.uint8Array(), (events, bytes) => {
        const lines = events.map(event => `data: ${JSON.stringify(event)}\n\n`);
        ended(api.answer(OK), [...lines, bytes, ...lines]);
        ended(api.answer(OK_JSON), [JSON.stringify(events)]);
        ended(api.answer(OK_JSON), [JSON.stringify(events[0] ?? null)]);
        ended(api.answer({ status: 200, headers: {} }), [bytes]);
      }),
    );
  });
}

test('an error in the midst of a stream has failed, also where its end comes', () => {
  const errors = [
    [anthropic, 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'],
    [openaiResponses, 'event: response.failed\ndata: {"type":"response.failed","response":{"status":"failed"}}\n\n'],
    [openaiResponses, 'data: {"type":"error","message":"x"}\n\n'],
    [openaiChat, 'data: {"error":{"message":"x","code":502}}\n\n'],
    [google, 'data: {"error":{"code":503,"message":"x"}}\n\n'],
  ] as const;
  for (const [{ api, model }, error] of errors) {
    const pieces = model.pieces(ONLY_TEXT, VOICE);
    assert.equal(ended(api.answer(OK), [...pieces.slice(0, 1), error, ...pieces.slice(1)]).outcome, 'failed');
  }
});

test('an answer that was over is completed, also where the connection breaks behind it', () => {
  for (const { api, model } of [anthropic, openaiResponses, openaiChat]) {
    assert.equal(ended(api.answer(OK), model.pieces(ONLY_TEXT, VOICE), false).outcome, 'completed');
  }
});

test('anthropic-messages: the last numbers count, and those that they leave out stay; a pause ends no turn', () => {
  const start =
    'data: {"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":20,"cache_creation_input_tokens":10,"output_tokens":1}}}\n\n';
  const end = 'data: {"type":"message_stop"}\n\n';
  const delta = (usage: object, reason = 'end_turn') =>
    `data: ${JSON.stringify({ type: 'message_delta', delta: { stop_reason: reason }, usage })}\n\n`;
  const { api } = anthropic;
  assert.deepEqual(ended(api.answer(OK), [start, delta({ output_tokens: 9, cache_read_input_tokens: null }), end]), {
    outcome: 'completed',
    usage: { input: 35, output: 9, cacheRead: 20, cacheWrite: 10 },
    callsTools: false,
  });
  assert.deepEqual(ended(api.answer(OK), [start, delta({ output_tokens: 9, input_tokens: 7 }), end]).usage, {
    input: 37,
    output: 9,
    cacheRead: 20,
    cacheWrite: 10,
  });
  assert.equal(ended(api.answer(OK), [start, delta({}, 'pause_turn'), end]).callsTools, undefined);
});

test('openai-responses: an answer that stopped early is one, and one that runs on elsewhere is none yet', () => {
  const { api } = openaiResponses;
  const outcome = (status: string) =>
    ended(api.answer(OK_JSON), [JSON.stringify({ object: 'response', status })]).outcome;
  assert.deepEqual(['completed', 'incomplete', 'failed', 'in_progress', 'queued', 'cancelled'].map(outcome), [
    'completed',
    'completed',
    'failed',
    'failed',
    'failed',
    'failed',
  ]);
  const incomplete = 'data: {"type":"response.incomplete","response":{"status":"incomplete","output":[]}}\n\n';
  assert.equal(ended(api.answer(OK), [incomplete]).outcome, 'completed');
  // Some servers leave the output out at the end.
  const item = '{"type":"response.output_item.done","item":{"type":"custom_tool_call","call_id":"c"}}';
  const done = '{"type":"response.completed","response":{}}';
  assert.equal(ended(api.answer(OK), [`data: ${item}\n\ndata: ${done}\n\n`]).callsTools, true);
});

test('gemini: a stream that is a list of chunks is read whole', () => {
  const { api, model } = google;
  const chunks = model.pieces(SAID, VOICE).map(piece => piece.replace(/^data: /u, '').trim());
  assert.deepEqual(ended(api.answer(OK_JSON), [`[${chunks.join(',\r\n')}]`]), {
    outcome: 'completed',
    usage: numbers(google),
    callsTools: true,
  });
  const blocked = '{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}';
  assert.deepEqual(ended(api.answer(OK_JSON), [blocked]), { outcome: 'failed', usage: { input: 3 } });
});
