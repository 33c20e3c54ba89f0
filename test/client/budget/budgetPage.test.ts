import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetPage } from '../../../client/budget/budgetPage.ts';
import type { CompressionWhatIf, PanelSession } from '../../../client/session/sessionModel.ts';
import { type KnownLimits, limitsOf } from '../../../protocol/budget/limits.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { request, sessionOf, wording } from '../views/kit.ts';
import { longBudgetLog } from './longBudgetLog.ts';
import { amount, measured, measuredRequests, pass } from './measured.ts';

const TURN_ON = 'To turn it on, do this.';
const pageOf = (session: PanelSession, whatIf?: CompressionWhatIf) => budgetPage(session, TURN_ON, wording, whatIf);
const pageWith = (...events: readonly NewEvent[]) => pageOf(sessionOf(events));

test('T-39: the page has the numbers of the report and of the fold, row by row', () => {
  const session = sessionOf(longBudgetLog(60, 4_000).slice(1) as unknown as readonly NewEvent[]);
  const report = usageReport(session.state);
  assert.ok(report && report.compressions > 0);
  const { parts, about } = pageOf(session);
  const rows = new Map(parts?.rows.map(row => [row.key, row]));
  for (const [index, tier] of (['tier1', 'tier2', 'tier3', 'tier4'] as const).entries()) {
    const row = rows.get(tier);
    const amount = row?.amount.replaceAll(/[~≈,]/g, '');
    assert.ok(report.text.includes(`  TIER ${index + 1}: ${amount} (${row?.percent})\n`), `${tier}: ${amount}`);
  }
  const total = rows.get('total');
  assert.ok(report.text.includes(`  Total:  ${total?.amount.replaceAll(/[~≈,]/g, '')} (${total?.percent})\n`));
  assert.equal(
    [...rows.values()].reduce((sum, { key, tokens }) => sum + (key === 'total' ? -tokens : tokens), 0),
    0,
  );
  assert.match(about.join('\n'), new RegExp(`^Status: ${report.status} · compressed (once|\\d+ times) · `, 'm'));
});

test('a row says its number with where it comes from, what it may be, and how much of that it is', () => {
  const { parts } = pageWith(...measuredRequests([760]));
  assert.deepEqual(
    parts?.rows.map(({ label, amount, percent, isOver }) => [label, amount, percent, isOver]),
    [
      ['Tier 1', '~10 / 50', '20%', false],
      ['Tier 2', '~10 / 250', '4%', false],
      ['Tier 3', '~320 / 300', '107%', true],
      ['Tier 4', '~320 / 300', '107%', true],
      ['Host', '~100', '', false],
      ['Unattributed', '~0', '', false],
      ['Total', '~760 / 1,000', '76%', false],
    ],
  );
});

const source = (tokens: number, name: string) => ({ tokens, source: name });

test('the limit says which number it comes from, and who gave that', () => {
  const window = source(1000, 'config.json');
  const textOf = (known: KnownLimits, learned?: { tokens: number; source: string }) =>
    pageWith(measured(1, 300, { limits: limitsOf(known, learned) })).about.find(text => text.startsWith('The limit'));
  assert.equal(textOf({ window }), 'The limit is 900 tokens: nine tenths of the window of 1,000 (config.json).');
  assert.equal(
    textOf({ window, outputReserve: source(320, 'max_tokens of the request') }),
    'The limit is 680 tokens: the window of 1,000 (config.json) less 320 for the answer (max_tokens of the request).',
  );
  assert.equal(
    textOf({ window, inputLimit: source(500, 'the agent') }),
    'The limit is 500 tokens: the provider takes no more (the agent).',
  );
  assert.equal(
    textOf({ window }, source(400, 'an error')),
    'The limit is 400 tokens: the provider refused a longer request (an error).',
  );
});

test('a window that nobody gave is said so', () => {
  const window = source(1000, 'assumed: the model is not known');
  const { about } = pageWith(measured(1, 300, { limits: limitsOf({ window }) }));
  assert.ok(about.some(text => text.startsWith('Nobody gave the window. If you know it, set "budget"')));
});

test('sources from a session stay one bounded line', () => {
  const window = source(1000, `a\n\u202e${'b'.repeat(9_000)}`);
  const { about } = pageWith(measured(1, 300, { limits: limitsOf({ window }) }));
  assert.ok(about.every(text => text.length < 400 && !/[\n\u202e]/.test(text)));
});

test('each request is said in words, and is a row of the table', () => {
  const { requests } = pageWith(
    ...measuredRequests([400]),
    pass(1, 2, { price: { rewritten: amount(60), freed: amount(220), breakEven: 3 } }),
    measured(2, 500),
    ...request(2, 10).map(event =>
      event.type === 'step/end' ? { ...event, data: { ...event.data, usage: { input: 500, cacheRead: 123 } } } : event,
    ),
    measured(3, 950, { gate: 'blocked', flags: ['over-limit'] }),
  );
  assert.deepEqual(
    requests?.points.map(({ label }) => label),
    [
      'Request 1: ~400 tokens, 40% of the window.',
      'Request 2: ~500 tokens, 50% of the window; 25% of the input from the cache; history compressed; ~720 to ~500 tokens, pays back after 3 requests.',
      'Request 3: ~950 tokens, 95% of the window; not sent: above the limit.',
    ],
  );
  assert.deepEqual(
    requests?.points.map(({ canOpen, marks }) => [canOpen, marks]),
    [
      [true, []],
      [true, ['compression']],
      [false, ['blocked']],
    ],
  );
  assert.deepEqual(requests?.points[1]?.cells, [
    '2',
    '~500',
    '50%',
    ...['~100', '~10', '~10', '~190', '~190', '~0'],
    '25%',
    'history compressed, ~720 to ~500 tokens, pays back after 3 requests',
  ]);
  assert.deepEqual(new Set(requests?.points.map(({ cells }) => cells.length)), new Set([requests?.columns.length]));
});

test('where nothing was measured the page says why, and how to change that', () => {
  const off = 'The budget layer is off in this session, so nothing is measured and nothing is compressed.';
  assert.deepEqual(pageWith(...request(1, 1)).about, [off, TURN_ON]);
  assert.match(pageWith().about.join(' '), /^No request was sent yet: with the budget layer on, .* To turn it on/);
  const set: NewEvent = {
    type: 'budget/tier1-set',
    data: {
      constraints: [],
      sha256: 'a'.repeat(64),
      source: 'config.json',
      class: 'user',
      reason: 'set',
      requestSequence: 1,
    },
  };
  assert.deepEqual(pageWith(set).about, ['Nothing was measured yet: the numbers come with the next request.']);
});

test('a page that does not show now says so, and leads back', () => {
  const events = measuredRequests([300, 400]);
  assert.equal(pageOf(sessionOf(events)).back, undefined);
  const then = pageOf(sessionOf(events, { asOf: 1 }));
  assert.equal(then.back, 'Back to now');
  assert.match(then.about[0] ?? '', /^This is how the session was when request 1 had been sealed \(t\d+\)\.$/);
  const lost = sessionOf(events, { link: { kind: 'lost', sentence: 'Gone.', since: 5 } });
  assert.equal(pageOf(lost).about[0], 'Not live: disconnected since t5.');
});

const whatIf = { before: amount(720), after: amount(500), historyBefore: amount(400), historyAfter: amount(180) };
const price = { rewritten: amount(40_100), freed: amount(12_300), breakEven: 38 };

test('tiers 5: below the last request stands what a compression would free and cost now', () => {
  const textOf = (answer?: CompressionWhatIf) => pageOf(sessionOf(measuredRequests([720])), answer).parts?.whatIf;
  const costs = (breakEven?: number): string | undefined => {
    const { rewritten, freed } = price;
    return textOf({ ...whatIf, price: { rewritten, freed, ...(breakEven !== undefined && { breakEven }) } });
  };
  assert.equal(
    costs(38),
    "A compression now would free ~12,300 tokens and rewrite ~40,100 of the provider's cache: it pays back after 38 requests.",
  );
  assert.match(costs(1) ?? '', /: it pays back after 1 request\.$/);
  assert.match(costs(0) ?? '', /: it costs nothing\.$/);
  assert.match(costs() ?? '', /: it never pays back\.$/);
  assert.equal(textOf(whatIf), 'A compression now would make ~500 tokens of ~720.');
  assert.equal(textOf(null), 'A compression now would change nothing.');
  assert.equal(textOf(), '', 'its line is there before the answer, and stays empty without one');
});

test('tiers 5: a price of now stands neither in a state of before, nor in a session that is not connected', () => {
  const events = measuredRequests([300, 400]);
  for (const more of [
    { asOf: 1 },
    { link: { kind: 'past' } },
    { link: { kind: 'lost', sentence: 'Gone.', since: 5 } },
  ] as const) {
    assert.equal(pageOf(sessionOf(events, more), { ...whatIf, price }).parts?.whatIf, undefined);
  }
});
