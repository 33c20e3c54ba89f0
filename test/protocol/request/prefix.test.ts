import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlocksMessage, withBlocks } from '../../../protocol/request/blocksMessage.ts';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { PrefixError, PrefixInterruptedError, SessionPrefix } from '../../../protocol/request/sessionPrefix.ts';
import { runInstance } from './logKit.ts';
import { isDeepFrozen } from './vectorFile.ts';
import { message } from './viewKit.ts';

function prefixOf(...contributors: readonly Parameters<SessionPrefix['contribute']>[0][]): SessionPrefix {
  const prefix = new SessionPrefix();
  for (const contributor of contributors) {
    prefix.contribute(contributor);
  }
  return prefix;
}

const config = { model: 'm' };

test('seed 2: the prefix is composed once per instance, lazily, and reused verbatim for every request', async () => {
  let composed = 0;
  const prefix = prefixOf(() => [message(`composed ${++composed}`)]);
  assert.equal(composed, 0);
  assert.equal(prefix.composed, undefined);
  const first = await prefix.compose();
  for (let request = 0; request < 3; request++) {
    assert.equal(await prefix.compose(), first);
  }
  assert.equal(prefix.composed, first);
  assert.equal(composed, 1);
  assert.deepEqual(first, [message('composed 1')]);
});

test('seed 2: requests that are built at the same time share one composition', async () => {
  let composed = 0;
  const prefix = prefixOf(async () => {
    composed++;
    await Promise.resolve();
    return [message('a')];
  });
  const [first, second] = await Promise.all([prefix.compose(), prefix.compose()]);
  assert.equal(first, second);
  assert.equal(composed, 1);
});

test('seed 2: the composed messages are deep-frozen copies: what a contributor kept and changes later has no effect', async () => {
  const kept = { role: 'user', content: [{ type: 'text', text: 'a' }] };
  const list: JsonObject[] = [kept];
  const prefix = prefixOf(() => list);
  const composed = await prefix.compose();
  assert.ok(isDeepFrozen(composed));
  assert.ok(!Object.isFrozen(kept));
  kept.content.push({ type: 'text', text: 'late' });
  list.push(message('late'));
  assert.deepEqual(composed, [message('a')]);
  assert.deepEqual(await prefix.compose(), [message('a')]);
});

test('request-log 9: each contributor gets a frozen empty list, and one that changes it throws', async () => {
  const seeds: (readonly JsonObject[])[] = [];
  const prefix = prefixOf(
    seed => {
      seeds.push(seed);
      return [...seed, message('a')];
    },
    seed => {
      seeds.push(seed);
      return seed;
    },
  );
  assert.deepEqual(await prefix.compose(), [message('a')]);
  assert.deepEqual(seeds, [[], []]);
  assert.ok(seeds.every(Object.isFrozen));
  const pushing = prefixOf(seed => {
    (seed as JsonObject[]).push(message('leak'));
    return seed;
  });
  await assert.rejects(pushing.compose(), (error: unknown) => {
    assert.ok(error instanceof PrefixError && error.cause instanceof TypeError);
    return true;
  });
  assert.deepEqual(await prefixOf().compose(), [], 'nothing leaked');
});

test('request-log 9: contributions stand in the order of registration, however long each takes', async () => {
  const order: string[] = [];
  const slow = (value: string, turns: number) => async () => {
    order.push(value);
    for (let turn = 0; turn < turns; turn++) {
      await Promise.resolve();
    }
    return [message(value), message(`${value}2`)];
  };
  const prefix = prefixOf(slow('a', 20), slow('b', 0), slow('c', 5));
  assert.deepEqual(await prefix.compose(), ['a', 'a2', 'b', 'b2', 'c', 'c2'].map(message));
  assert.deepEqual(order, ['a', 'b', 'c'], 'one after another');
});

test('request-log 9: an instance without contributions has no prefix, and its header no such field', async () => {
  const prefix = prefixOf(seed => seed);
  const messagePrefix = withBlocks(await prefix.compose(), undefined);
  assert.deepEqual(messagePrefix, []);
  const { log } = runInstance([], [{ config, messagePrefix }]);
  assert.deepEqual(Object.keys(foldRequestHeader(log) ?? {}), ['config']);
});

test('request-log 9: nothing can be contributed once a request was built, or while it is composed', async () => {
  const late = () => [message('late')];
  const prefix: SessionPrefix = prefixOf(async () => {
    assert.throws(() => prefix.contribute(late), PrefixError);
    return [message('a')];
  });
  await prefix.compose();
  assert.throws(() => prefix.contribute(late), {
    name: 'PrefixError',
    message:
      'Nothing can be added to the session prefix any more, because a request was built with it. Contribute before the first request, or append a message.',
  });
  assert.deepEqual(await prefix.compose(), [message('a')]);
});

test('seed 2: a composition that was interrupted is not kept: the next request composes afresh', async () => {
  const controller = new AbortController();
  let asked = 0;
  const prefix = prefixOf((_, signal) => {
    asked++;
    if (asked === 1) {
      controller.abort('the user pressed Escape');
    }
    return signal?.aborted ? [] : [message('whole')];
  });
  await assert.rejects(prefix.compose(controller.signal), (error: unknown) => {
    assert.ok(error instanceof PrefixInterruptedError);
    assert.equal(error.cause, 'the user pressed Escape');
    assert.equal(
      error.message,
      'The request was not built, because it was given up while the session prefix was composed.',
    );
    return true;
  });
  assert.equal(prefix.composed, undefined);
  assert.deepEqual(await prefix.compose(new AbortController().signal), [message('whole')]);
  assert.equal(asked, 2);
});

test('request-log 9: an interruption that is there before is noticed, also with no contributor and between two', async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(prefixOf().compose(signal), PrefixInterruptedError);
  const asked: string[] = [];
  const controller = new AbortController();
  const prefix = prefixOf(
    () => {
      asked.push('a');
      controller.abort();
      return [];
    },
    () => {
      asked.push('b');
      return [];
    },
  );
  await assert.rejects(prefix.compose(controller.signal), PrefixInterruptedError);
  assert.deepEqual(asked, ['a']);
});

test('request-log 9: a contributor that throws because of the interruption counts as interrupted', async () => {
  const controller = new AbortController();
  const prefix = prefixOf((_, signal) => {
    controller.abort('stop');
    throw signal?.reason;
  });
  await assert.rejects(prefix.compose(controller.signal), PrefixInterruptedError);
});

test('request-log 9: what a contributor gave that noticed the interruption is not looked at', async () => {
  const controller = new AbortController();
  const prefix = prefixOf(() => {
    controller.abort();
    return undefined as never;
  });
  await assert.rejects(prefix.compose(controller.signal), PrefixInterruptedError);
});

test('request-log 9: once it is kept it stays, also for a request that was given up already', async () => {
  const prefix = prefixOf(() => [message('a')]);
  const composed = await prefix.compose();
  assert.equal(await prefix.compose(AbortSignal.abort()), composed);
});

test('request-log 9: a contributor that throws leaves nothing, and the next request tries again', async () => {
  let broken = true;
  const prefix = prefixOf(
    () => [message('a')],
    () => {
      if (broken) {
        throw new RangeError('no room');
      }
      return [message('b')];
    },
  );
  await assert.rejects(prefix.compose(), (error: unknown) => {
    assert.ok(error instanceof PrefixError && error.cause instanceof RangeError);
    assert.equal(
      error.message,
      'The request was not built, because contributor 2 of the session prefix failed: no room',
    );
    return true;
  });
  assert.equal(prefix.composed, undefined);
  broken = false;
  assert.deepEqual(await prefix.compose(), [message('a'), message('b')]);
});

test('request-log 9: a request does not fail with another one that composes at the same time and is given up', async () => {
  const controller = new AbortController();
  let asked = 0;
  const prefix = prefixOf(async () => {
    asked++;
    if (asked === 1) {
      controller.abort();
    }
    await Promise.resolve();
    return [message(`composed ${asked}`)];
  });
  const given = prefix.compose(controller.signal);
  const other = prefix.compose();
  await assert.rejects(given, PrefixInterruptedError);
  assert.deepEqual(await other, [message('composed 2')]);
});

const circle: { self?: unknown } = {};
circle.self = circle;
const sparse = [message('a')];
sparse[2] = message('c');

const NOT_JSON: readonly (readonly [string, unknown, RegExp])[] = [
  ['undefined', [{ role: 'user', content: [{ text: undefined }] }], /: \[0\]\.content\[0\]\.text is undefined\.$/],
  ['NaN', [{ n: Number.NaN }], /: \[0\]\.n is NaN\.$/],
  ['Infinity', [{ n: -Infinity }], /: \[0\]\.n is -Infinity\.$/],
  ['a bigint', [{ n: 1n }], /: \[0\]\.n is a bigint\.$/],
  ['a function', [{ toJSON() {} }], /: \[0\]\.toJSON is a function\.$/],
  ['a symbol', [{ s: Symbol('s') }], /: \[0\]\.s is a symbol\.$/],
  ['a sparse list', sparse, /: \[1\] is undefined\.$/],
  ['a date', [{ d: new Date(0) }], /: \[0\]\.d is an object of a class\.$/],
  ['a map', [new Map()], /: \[0\] is an object of a class\.$/],
  ['itself', [circle], /nested deeper than 1000 levels, or in itself\.$/],
  ['nothing', undefined, /: its list is undefined\.$/],
  ['one message', message('a'), /gave no list of messages\.$/],
  ['texts', ['a'], /gave no list of messages\.$/],
  ['lists', [[]], /gave no list of messages\.$/],
];

for (const [what, given, sentence] of NOT_JSON) {
  test(`request-log 9: a prefix of ${what} is refused when it is composed, by a named error, and not kept`, async () => {
    const prefix = prefixOf(
      () => [message('a')],
      () => given as never,
    );
    for (const attempt of [1, 2]) {
      await assert.rejects(prefix.compose(), (error: unknown) => {
        assert.ok(error instanceof PrefixError, `attempt ${attempt}`);
        assert.match(error.message, /^The request was not built, because contributor 2 of the session prefix gave /);
        assert.match(error.message, sentence);
        return true;
      });
    }
    assert.equal(prefix.composed, undefined);
  });
}

test('request-log 9: members named __proto__, objects without a prototype and negative zero are JSON', async () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonObject;
  const bare = Object.assign(Object.create(null) as object, { n: -0 }) as JsonObject;
  const composed = await prefixOf(() => [odd, bare]).compose();
  assert.equal(JSON.stringify(composed), '[{"__proto__":{"a":1},"constructor":2},{"n":0}]');
  assert.equal(Object.getPrototypeOf(composed[0]), Object.prototype);
  assert.ok(Object.is(composed[1]?.['n'], 0));
});

test("DESIGN flow 2: the blocks' message is the last of the prefix, and with no active block there is none", () => {
  const blocks = message('blocks');
  assert.deepEqual(withBlocks([message('a')], blocks), [message('a'), blocks]);
  assert.ok(Object.isFrozen(withBlocks([], blocks)));
  const prefix = Object.freeze([message('a')]);
  assert.equal(withBlocks(prefix, undefined), prefix);
});

test("DESIGN flow 2: the blocks' message is the same frozen object while its text is the same", () => {
  const blocks = new BlocksMessage(text => ({ role: 'user', content: [{ type: 'text', text }] }));
  const first = blocks.of('one');
  assert.deepEqual(first, message('one'));
  assert.ok(isDeepFrozen(first));
  assert.equal(blocks.of('one'), first);
  assert.deepEqual(blocks.of('two'), message('two'));
  assert.equal(blocks.of(undefined), undefined);
  assert.deepEqual(blocks.of('one'), message('one'));
});

test("seed 2: contributions are reused verbatim while the blocks' message changes, and the change is a header delta", async () => {
  const prefix = prefixOf(() => [message('opener')]);
  const blocks = new BlocksMessage(text => message(text));
  const header = async (text: string | undefined) => ({
    config,
    messagePrefix: withBlocks(await prefix.compose(), blocks.of(text)),
  });
  const sent = [await header('block a'), await header('block a'), await header('block b'), await header(undefined)];
  assert.ok(sent.every(({ messagePrefix }) => messagePrefix[0] === sent[0]?.messagePrefix[0]));
  const { written } = runInstance([], sent);
  assert.deepEqual(
    written.map(event => event && [event.type, event.type === 'request/header' ? event.data.reason : event.data]),
    [
      ['request/header', 'initial'],
      undefined,
      ['request/header-delta', { messagePrefix: [message('opener'), message('block b')] }],
      ['request/header-delta', { messagePrefix: [message('opener')] }],
    ],
  );
});

test('seed 2: a resumed instance recomposes, and its resume snapshot shows what drifted', async () => {
  const day = (value: string) => async () => ({
    config,
    messagePrefix: await prefixOf(() => [message('opener'), message(value)]).compose(),
  });
  const monday = await day('monday')();
  const { log } = runInstance([], [monday, monday]);
  const tuesday = await day('tuesday')();
  const resumed = runInstance(log, [tuesday, tuesday]);
  assert.deepEqual(resumed.written, [
    { type: 'request/header', data: { header: tuesday, reason: 'resume' } },
    undefined,
  ]);
  assert.deepEqual(foldRequestHeader(log)?.messagePrefix?.[1], message('monday'));
  assert.deepEqual(foldRequestHeader(resumed.log)?.messagePrefix?.[1], message('tuesday'));
});
