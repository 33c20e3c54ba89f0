import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aiSdkSummaries,
  type SummaryCall,
  type SummaryModel,
} from '../../../../adapter/budget/summarizers/aiSdkSummaries.ts';
import { ANSWER_SCHEMA, SUMMARY_TASK } from '../../../../adapter/budget/summarizers/summaryTask.ts';
import { inTime } from '../../../server/deadline.ts';
import { partOf, recordOf } from './summarizerKit.ts';

const parts = ['a', 'b', 'c', 'd', 'e', 'f'].map(unit => partOf({ unit: `id-${unit}`, text: `text ${unit}`, time: 0 }));

/** A model's answer in the shape that versions 6 and 7 share. */
const answer = (text: string) => ({
  content: [
    { type: 'reasoning', text: 'Let me think {' },
    { type: 'text', text: text.slice(0, 5) },
    { type: 'source', id: 's' },
    { type: 'text', text: text.slice(5) },
  ],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {},
  warnings: [],
});

const good = (topic: string) => answer(JSON.stringify({ summaries: [recordOf(topic)] }));

/** The unit's letter in what a call sends. */
function letterOf({ prompt }: SummaryCall): string {
  return /text ([a-f])/.exec(JSON.stringify(prompt))?.[1] ?? '';
}

function modelOf(doGenerate: SummaryModel['doGenerate']): SummaryModel {
  return { provider: 'acme', modelId: 'small', doGenerate };
}

/** What each part came to: its topic, or why there is none. */
async function outcomes(doGenerate: SummaryModel['doGenerate'], signal?: AbortSignal): Promise<readonly unknown[]> {
  const made = await aiSdkSummaries({ model: modelOf(doGenerate) }).make(parts, signal);
  assert.equal(made.by, 'acme/small');
  if ('failed' in made) {
    return [made.failed];
  }
  assert.deepEqual(
    made.summaries.map(({ units }) => units),
    parts.map(({ units }) => units),
  );
  return made.summaries.map(one => ('failed' in one ? one.failed : (one.value as { topic: unknown }).topic));
}

test('a model is asked once for each part, at most four at once, and its records go to their parts', async () => {
  const calls: SummaryCall[] = [];
  const waiting: (() => void)[] = [];
  let open = 0;
  let most = 0;
  const made = outcomes(async call => {
    calls.push(call);
    most = Math.max(most, ++open);
    if (calls.length <= 4) {
      await new Promise<void>(resolve => {
        waiting.unshift(resolve);
        if (calls.length === 4) {
          // The last one first, so that answers come in another order.
          waiting.forEach(go => go());
        }
      });
    }
    open--;
    return good(letterOf(call));
  });
  assert.deepEqual(await inTime(made, 'the summaries'), ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual([calls.length, most], [6, 4]);
  const [{ abortSignal, ...first }] = calls as [SummaryCall];
  assert.ok(abortSignal && !abortSignal.aborted);
  const sent = {
    parts: [
      {
        groups: [
          {
            units: [{ kind: 'user', text: 'text a', isError: false, time: '1970-01-01T00:00:00Z' }],
            paths: ['src/a.ts'],
          },
        ],
      },
    ],
  };
  assert.deepEqual(first, {
    prompt: [
      { role: 'system', content: SUMMARY_TASK },
      { role: 'user', content: [{ type: 'text', text: JSON.stringify(sent) }] },
    ],
    responseFormat: { type: 'json', name: 'summaries', schema: ANSWER_SCHEMA },
  });
});

test('T-14 an answer that cannot be read costs its own part alone, and says why', async () => {
  const answers: Readonly<Record<string, object>> = {
    a: answer('I will not.'),
    b: answer('{"summaries":[]}'),
    c: { content: 'text' },
    d: answer(`"${'x'.repeat(1_000_000)}"`),
    e: { content: [null, 7, { type: 'text', text: 1 }] },
  };
  const none = 'its answer is no JSON';
  assert.deepEqual(await outcomes(async call => answers[letterOf(call)] ?? good('f')), [
    none,
    'its answer has 0 summaries instead of 1',
    none,
    'its answer is longer than 1000000 characters',
    none,
    'f',
  ]);
});

test('T-14 after a call that fails no other is made, and nothing that its error says is told', async () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [Object.assign(new Error('You sent "secret"'), { statusCode: 429 }), 'its API gave the status 429'],
    [Object.assign(new Error('secret'), { statusCode: 'secret' }), 'its call failed'],
    ['secret', 'its call failed'],
    [null, 'its call failed'],
  ];
  for (const [error, reason] of cases) {
    const asked: string[] = [];
    const made = outcomes(async call => {
      asked.push(letterOf(call));
      if (asked.length === 2) {
        throw error;
      }
      return good(letterOf(call));
    });
    const told = await made;
    assert.deepEqual(told.slice(0, 2), ['a', reason]);
    assert.equal(told.at(-1), reason);
    assert.ok(!asked.includes('f'));
  }
});

test('T-14 a model that throws before it answers at all gives no summaries', async () => {
  const made = outcomes(() => {
    throw new Error('secret');
  });
  assert.deepEqual(await made, ['its call failed']);
});

test('T-14 after 30 seconds what is there is taken, though the model heeds no signal', async t => {
  let seen: AbortSignal | undefined;
  let tellAllAsked = (): void => undefined;
  const allAsked = new Promise<void>(resolve => {
    tellAllAsked = resolve;
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const made = outcomes(call => {
    const letter = letterOf(call);
    if (letter === 'b') {
      return Promise.resolve(good('b'));
    }
    // a, c and d hang, and so does the one that takes the place of b.
    if (letter === 'e') {
      seen = call.abortSignal;
      tellAllAsked();
    }
    return new Promise(() => undefined);
  });
  await allAsked;
  t.mock.timers.tick(30_000);
  const late = 'it took longer than 30 seconds';
  assert.deepEqual(await made, [late, 'b', late, late, late, late]);
  assert.ok(seen?.aborted);
});

test('an abort rejects with its reason, and the model is told', async () => {
  const abort = new AbortController();
  const reason = new Error('given up');
  let seen: AbortSignal | undefined;
  const made = outcomes(async call => {
    seen = call.abortSignal;
    abort.abort(reason);
    return good('too late');
  }, abort.signal);
  await assert.rejects(inTime(made, 'the abort'), reason);
  assert.equal(seen?.reason, reason);
});

test('for no part no call is made', async () => {
  const model = modelOf(() => assert.fail('it was asked'));
  assert.deepEqual(await aiSdkSummaries({ model }).make([], undefined), { by: 'acme/small', summaries: [] });
});

test('the name of a model is no model', () => {
  for (const model of ['openai/gpt', undefined, {}, { provider: 'p', modelId: 'm' }] as unknown[]) {
    assert.throws(() => aiSdkSummaries({ model: model as SummaryModel }), {
      name: 'TypeError',
      message: /must be a model object of the AI SDK/,
    });
  }
});
