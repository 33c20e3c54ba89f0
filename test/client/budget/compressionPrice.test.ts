import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompressionPrice } from '../../../client/budget/compressionPrice.ts';
import type { CompressionWhatIf, PanelSession } from '../../../client/session/sessionModel.ts';
import { LateAnswerError } from '../../../local/wire/watcherLink.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { opened } from '../../protocol/log/sessions.ts';
import { request, sessionOf } from '../views/kit.ts';
import { amount, measured, measuredRequests } from './measured.ts';

const whatIf = (before: number): CompressionWhatIf => ({
  before: amount(before),
  after: amount(500),
  historyBefore: amount(400),
  historyAfter: amount(180),
});

interface Question {
  resolve(answer: CompressionWhatIf): void;
  reject(error: Error): void;
}

/** Sessions whose answers are in the test's hands, and a price that tells how many questions there were when it wanted to be drawn. */
function stand() {
  const open: Question[] = [];
  const draws: number[] = [];
  const price = new CompressionPrice(() => draws.push(open.length));
  const whatIfCompressed = () =>
    new Promise<CompressionWhatIf>((resolve, reject) => {
      open.push({ resolve, reject });
    });
  return {
    price,
    open,
    draws,
    sessionWith: (events: readonly NewEvent[], more: Partial<PanelSession> = {}) =>
      sessionOf(events, { whatIfCompressed, ...more }),
  };
}

/** Lets every promise that can go on go on. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('tiers 5: a session is asked once a request, however often it is drawn, and is drawn again with the answer', async () => {
  const { price, open, draws, sessionWith } = stand();
  const session = sessionWith(measuredRequests([300]));
  assert.equal(price.of(session), undefined);
  assert.equal(price.of(session), undefined);
  assert.equal(open.length, 1);
  open[0]?.resolve(whatIf(300));
  await settle();
  assert.deepEqual(draws, [1]);
  assert.deepEqual(price.of(session), whatIf(300));
  const next = sessionWith(measuredRequests([300, 400]));
  assert.equal(price.of(next), undefined, 'the price of one request is not that of the next one');
  open[1]?.resolve(null);
  await settle();
  assert.equal(price.of(next), null);
  assert.equal(open.length, 2);
});

test('requests that come while an answer is awaited are one question, and the answer to an old one is not shown', async () => {
  const { price, open, draws, sessionWith } = stand();
  const totals = [300, 310, 320, 330];
  for (const count of [1, 2, 3, 4]) {
    assert.equal(price.of(sessionWith(measuredRequests(totals.slice(0, count)))), undefined);
  }
  assert.equal(open.length, 1);
  open[0]?.resolve(whatIf(300));
  await settle();
  assert.deepEqual(draws, [1], 'drawn again, which asks for the newest');
  const newest = sessionWith(measuredRequests(totals));
  assert.equal(price.of(newest), undefined);
  assert.equal(open.length, 2);
  open[1]?.resolve(whatIf(330));
  await settle();
  assert.deepEqual(price.of(newest), whatIf(330));
});

test('an answer that is lost or late shows nothing, and is not asked for again for the same request', async () => {
  for (const error of [new Error('The connection to the session was lost.'), new LateAnswerError()]) {
    const { price, open, sessionWith } = stand();
    const session = sessionWith(measuredRequests([300]));
    price.of(session);
    open[0]?.reject(error);
    await settle();
    assert.equal(price.of(session), undefined);
    assert.equal(open.length, 1);
    price.of(sessionWith(measuredRequests([300, 400])));
    assert.equal(open.length, 2);
  }
});

test('nobody is asked about a state of before, without a connection, without the layer, or before a new run measured', () => {
  const { price, open, sessionWith } = stand();
  const events = measuredRequests([300, 400]);
  for (const session of [
    sessionWith(events, { asOf: 1 }),
    sessionWith(events, { link: { kind: 'past' } }),
    sessionWith(events, { link: { kind: 'lost', sentence: 'Gone.', since: 5 } }),
    sessionWith(request(1, 1)),
    sessionWith([...events, ...request(3, events.length + 1)]),
    sessionWith([...events, opened]),
  ]) {
    assert.equal(price.of(session), undefined);
  }
  assert.equal(open.length, 0);
  price.of(sessionWith([...events, measured(3, 950, { gate: 'blocked', flags: ['over-limit'] })]));
  assert.equal(open.length, 1, 'a request that was not sent is one that a compression would be about');
});

test('a session that goes on in another log is asked anew', async () => {
  const { price, open, sessionWith } = stand();
  const session = sessionWith(measuredRequests([300]));
  price.of(session);
  open[0]?.resolve(whatIf(300));
  await settle();
  assert.equal(price.of({ ...session, header: { ...session.header, created: 1_000 } }), undefined);
  assert.equal(open.length, 2);
});
