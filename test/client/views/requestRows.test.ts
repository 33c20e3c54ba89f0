import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE } from '../../../client/views/pages.ts';
import { requestRows } from '../../../client/views/requestRows.ts';
import type { EventData, NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { activated, discarded, drawingOf, outline, request, sessionOf, sessionsOf } from './kit.ts';

const VIEW = 'contextLifecycle.requests';
const amount = (tokens: number) => ({ tokens, origin: 'estimated' }) as const;

/** `planning` is discarded between the first request and the second. */
const story: readonly NewEvent[] = [
  activated('planning'),
  ...request(1, 2),
  discarded('planning', 2),
  ...request(2, 9, {
    price: {
      divergence: { part: 'prefix', index: 1, offset: 1595 },
      rewritten: amount(433),
      freed: amount(245),
      breakEven: 21,
    },
    changes: [{ part: 'prefix', causes: [8] }],
  }),
  ...request(3, 15),
];

const cause = { ...discarded('planning', 2), seq: 8, time: 1008 } as unknown as LogEvent;

function rowsOf(events: readonly NewEvent[], eventOf: () => LogEvent | undefined = () => cause) {
  return requestRows(sessionsOf(sessionOf(events)), drawingOf(VIEW, { eventOf }));
}

test('requests come newest first, with size, what changed since the one before, and why', () => {
  assert.deepEqual(outline(rowsOf(story)), [
    'Request 3 | ≈1,300 tokens · 2 messages added · 2.5 kB',
    'Request 2 | ≈1,200 tokens · prefix changed · ~38% kept · 2.0 kB · .github/prompts/start.prompt.md discarded block planning: it is absent from request 2 on.',
    'Request 1 | ≈1,100 tokens · the first one · 1.5 kB',
  ]);
});

test('what is read aloud of a request ends each sentence once', () => {
  assert.equal(
    rowsOf(story)[1]?.spoken,
    'Request 2. ≈1,200 tokens. prefix changed · ~38% kept. 2.0 kB. .github/prompts/start.prompt.md discarded block planning: it is absent from request 2 on. what left is what was sealed',
  );
});

test('the cause is left out until it is known', () => {
  const [, row] = rowsOf(story, () => undefined);
  assert.equal(row?.description, '≈1,200 tokens · prefix changed · ~38% kept · 2.0 kB');
});

test('below a request stands all that is known of it, numbers with their marks and parts that add up', () => {
  const [, row] = rowsOf(story);
  assert.deepEqual(outline(row?.children?.() ?? []), [
    'Size | 2.0 kB · 5 messages',
    'Tokens | ≈1,200 tokens · system prompt ~20 · tools ~200 · prefix ≈300 · messages ~681 · unattributed -1',
    'Kept | ~38% kept',
    'First difference | prefix, number 2, byte 1,595 · ~433 tokens sent anew · ~245 tokens freed · pays back after 21 requests',
    'Because | .github/prompts/start.prompt.md discarded block planning: it is absent from request 2 on.',
    'Receipt | what left is what was sealed',
    'Answer | completed · input 1,200 · output 55',
  ]);
});

test('each state of a receipt has its own icon and words; a mismatch comes first and is red', () => {
  const results: readonly EventData<'request/receipt'>['result'][] = ['matched', 'not-reported', 'quoted', 'mismatch'];
  const looks = results.map(result => {
    const receipt: NewEvent = { type: 'request/receipt', data: { requestSequence: 1, result, evidence: 'seen' } };
    const events = [...request(1, 1).slice(0, 3), receipt];
    const [row] = rowsOf(events);
    return [row?.icon, row?.color, row?.spoken?.split('. ').at(-1)];
  });
  assert.deepEqual(looks, [
    ['pass', 'testing.iconPassed', 'what left is what was sealed'],
    ['circle-outline', undefined, 'the agent does not report what left'],
    ['quote', 'problemsWarningIcon.foreground', 'a discarded block is quoted in ordinary content'],
    ['error', 'errorForeground', 'MISMATCH: what left is not what was sealed'],
  ]);
  const mismatch: NewEvent = { type: 'request/receipt', data: { requestSequence: 1, result: 'mismatch' } };
  const [row] = rowsOf([...request(1, 1).slice(0, 3), mismatch]);
  assert.match(row?.description ?? '', /^MISMATCH: what left is not what was sealed · /);
});

test('a request that nobody has seen leave says so', () => {
  const [row] = rowsOf(request(1, 1).slice(0, 3));
  assert.equal(row?.icon, 'watch');
  assert.match(row?.tooltip ?? '', /^nothing was seen to leave yet$/m);
  assert.match(row?.tooltip ?? '', /^none yet$/m);
});

test('a click shows the exact request; only those with one before can be compared with it', () => {
  const rows = rowsOf(story);
  assert.deepEqual(rows[0]?.command, {
    command: 'contextLifecycle.showRequest',
    title: 'Show request 3',
    arguments: [{ session: 'key', request: 3 }, { preserveFocus: true }],
  });
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['request.next', 'request.next', 'request.first'],
  );
});

test('of 10,000 requests one page of rows is made, and below them nothing', () => {
  const events = Array.from({ length: 10_000 }, (_, index) => request(index + 1, 1 + index * 6)).flat();
  const session = sessionOf(events);
  const asked: number[] = [];
  const { requests } = session.state;
  const watched = new Proxy(requests, {
    get: (target, name) => {
      if (name === 'get') {
        return (index: number) => {
          asked.push(index);
          return target.get(index);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return value;
    },
  });
  const rows = requestRows(
    sessionsOf({ ...session, state: { ...session.state, requests: watched } }),
    drawingOf(VIEW, {}),
  );
  assert.equal(rows.length, PAGE + 1);
  assert.deepEqual(
    [rows[0]?.label, rows.at(-1)?.label, rows.at(-1)?.description],
    ['Request 10000', 'Show more', '9,800 left'],
  );
  assert.ok(asked.length <= 2 * PAGE, `${asked.length} requests were looked at`);
});

type Sealed = NonNullable<Parameters<typeof request>[2]>;
type Change = Pick<NonNullable<NonNullable<Sealed['price']>['divergence']>, 'part' | 'index'>;

/** The second of two requests, of which the first had a prefix of so many messages. */
function secondRow(
  earlier: number | undefined,
  change: Change | undefined,
  [rewritten, freed]: readonly [number, number] = [1, 0],
  [first, second]: readonly [Sealed, Sealed] = [{}, {}],
) {
  const divergence = change && { ...change, offset: 3 };
  const price = { rewritten: amount(rewritten), freed: amount(freed), ...(divergence && { divergence }) };
  const [row] = rowsOf([
    ...request(1, 1, earlier === undefined ? first : { ...first, prefixMessages: earlier }),
    ...request(2, 7, { ...second, prefixMessages: 2, price }),
  ]);
  const detail = row?.children?.().find(({ label }) => label === 'Prefix')?.description;
  return { detail, change: row?.description?.split(' tokens · ')[1]?.split(' · 2.0 kB')[0] };
}

test('issue 4: how much of the prefix was kept is told by what the log says of it, and not told where it says nothing', () => {
  const cases: readonly (readonly [number | undefined, Change | undefined, string])[] = [
    [3, undefined, '2 messages · kept whole'],
    [3, { part: 'messages', index: 4 }, '2 messages · kept whole'],
    // one was added at its end
    [1, { part: 'prefix', index: 1 }, '2 messages · kept whole'],
    [3, { part: 'prefix', index: 1 }, '2 messages · first 1 of 3 messages kept'],
    [1, { part: 'prefix', index: 0 }, '2 messages · none of 1 message kept whole'],
    [3, { part: 'tools', index: 0 }, '2 messages · none of 3 messages kept'],
    [3, { part: 'config' }, '2 messages · none of 3 messages kept'],
    [undefined, { part: 'prefix', index: 1 }, '2 messages'],
    [0, { part: 'prefix', index: 0 }, '2 messages'],
  ];
  for (const [earlier, change, text] of cases) {
    assert.equal(secondRow(earlier, change).detail, text);
  }
  assert.equal(secondRow(3, { part: 'config' }, [0, 0]).detail, '2 messages · kept whole', 'no cache looks at it');
});

test('issue 4: a request whose prefix changed says the share of its tokens that was kept', () => {
  // 300 of the prefix and 581 behind it were sent; 581 and 97 stand behind the difference
  const { detail, change } = secondRow(3, { part: 'prefix', index: 2 }, [433, 245]);
  assert.equal(change, 'prefix: first 2 of 3 messages kept (~67%)');
  assert.equal(detail, '2 messages · first 2 of 3 messages kept (~67%)');
  assert.equal(
    secondRow(3, { part: 'prefix', index: 0 }, [433, 245]).change,
    'prefix: none of 3 messages kept whole (~67%)',
    'of the first message only the end has changed',
  );
  assert.equal(
    secondRow(3, { part: 'messages', index: 4 }, [33, 45]).change,
    'messages changed · ~92% kept · prefix: kept whole',
  );
});

test('issue 4: a share is scaled to what was learned of the provider between the two requests', () => {
  const sizes = (factor: number) => ({
    system: amount(200 * factor),
    tools: amount(2000 * factor),
    prefix: amount(300 * factor),
    messages: amount(581 * factor),
    unattributed: { tokens: 0, origin: 'estimated' } as const,
    total: amount(3081 * factor),
  });
  const learned = [{ sizes: sizes(1) }, { sizes: sizes(2) }] as const;
  assert.equal(
    secondRow(3, { part: 'prefix', index: 2 }, [866, 490], learned).change,
    'prefix: first 2 of 3 messages kept (~67%)',
  );
});

test('issue 4: no share is told that the numbers do not tell', () => {
  const change = { part: 'prefix', index: 2 } as const;
  const unknown = 'prefix: first 2 of 3 messages kept';
  const uncounted = request(1, 1)[2]?.data as Sealed & { sizes: NonNullable<Sealed['sizes']> };
  const sized = (more: Partial<typeof uncounted.sizes>) => ({ sizes: { ...uncounted.sizes, ...more } });
  const long = sized({ messages: amount(90_000) });
  for (const [price, sizes] of [
    [[678, 0], undefined],
    [[5_000, 245], undefined],
    [[100, 45], undefined],
    [
      [90_000, 100],
      [long, long],
    ],
    [
      [433, 245],
      [sized({ system: amount(0), tools: amount(0) }), {}],
    ],
    [
      [433, 245],
      [sized({ prefix: amount(0) }), {}],
    ],
  ] as const) {
    assert.equal(secondRow(3, change, price, sizes).change, unknown);
  }
});
