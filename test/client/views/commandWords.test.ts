import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeText, refusalText, whatIfText } from '../../../client/views/discardWords.ts';
import { blockReference, subjectOf } from '../../../client/views/given.ts';
import { RowTree } from '../../../client/views/rowTree.ts';
import { usageText } from '../../../client/views/usageText.ts';
import { bytesText } from '../../../client/views/wording.ts';
import { countText } from '../../../protocol/log/countText.ts';
import { request, sessionOf, sessionsOf, wording } from './kit.ts';

const amount = (tokens: number) => ({ tokens, origin: 'estimated' }) as const;

test('before a discard its price stands in words: freed, the first part that changes, sent anew, paid back after', () => {
  const price = {
    divergence: { part: 'prefix', index: 1, offset: 1595 },
    rewritten: amount(1433),
    freed: amount(245),
    breakEven: 21,
  } as const;
  assert.equal(
    whatIfText(price, sessionOf([]), wording),
    [
      'It frees ~245 tokens of each later request.',
      'The first part of the request that changes is prefix, number 2, from byte 1,595 on.',
      'A cache loses ~1,433 tokens, which are sent anew once.',
      'It pays back after 21 requests.',
      'A discarded block does not come back in this session.',
      'Session: demo · to-do · d334d6845913',
    ].join('\n'),
  );
});

test('a price that nobody knows, or that never pays back, is said so', () => {
  assert.match(whatIfText(undefined, sessionOf([]), wording), /^What it would save is not known: nobody counts/);
  assert.match(
    whatIfText('unanswered', sessionOf([]), wording),
    /^What it would save is not known: the session gave no/,
  );
  assert.match(
    whatIfText({ rewritten: amount(5), freed: amount(0) }, sessionOf([]), wording),
    /^It never pays back\.$/m,
  );
  assert.match(
    whatIfText({ rewritten: amount(0), freed: amount(1), breakEven: 0 }, sessionOf([]), wording),
    /^It costs nothing\.$/m,
  );
});

test('each answer of a session is a sentence of its own', () => {
  const texts = (['discarded', 'repeated', 'unknown', 'denied'] as const).map(outcome =>
    outcomeText('a', outcome, wording),
  );
  assert.equal(new Set(texts).size, 4);
  assert.equal(texts[3], 'The policy of the session does not let an editor discard, so block a stays.');
});

test('issue 4: an ID from a session makes no link in a notification', () => {
  for (const outcome of ['discarded', 'repeated', 'unknown', 'denied'] as const) {
    assert.doesNotMatch(outcomeText('[a](command:x)\u202e', outcome, wording), /\]\(|\u202e/);
  }
});

test('a discard that nobody would hear or obey is refused before a person is asked', () => {
  assert.equal(refusalText(sessionOf([]), 'a', wording), undefined);
  assert.equal(
    refusalText(sessionOf([], { link: { kind: 'past' } }), 'a', wording),
    'This session is not connected, so no block of it can be discarded.',
  );
  assert.equal(
    refusalText(sessionOf([], { mayDiscard: false }), 'a', wording),
    'The policy of the session does not let an editor discard, so block a stays.',
  );
});

test('usage adds up what the provider reported, and shows the parts of the last request', () => {
  const session = sessionOf([...request(1, 1), ...request(2, 7)]);
  assert.equal(
    usageText(session, wording),
    [
      'Session d334d6845913 of demo · to-do',
      'Requests: 2, of which the provider reported usage for 2',
      'Input tokens: 2,400',
      'of these read from cache: 0',
      'of these written to cache: 0',
      'Output tokens: 110',
      'Last request, as counted here: ≈1,200 tokens · system prompt ~20 · tools ~200 · prefix ≈300 · messages ~681 · unattributed -1',
      '',
    ].join('\n'),
  );
});

test('a command knows what it is about from a row, from a link and from nothing', () => {
  const sessions = sessionsOf(sessionOf([], { key: 'mine' }));
  const tree = new RowTree();
  tree.update([{ id: 'a', label: 'a', kind: 'x', about: { session: 's', blockId: 'b' } }]);
  assert.deepEqual(subjectOf(tree.roots[0], sessions), { session: 's', blockId: 'b' });
  assert.deepEqual(subjectOf({ block: 'b' }, sessions), { session: 'mine', blockId: 'b' });
  assert.deepEqual(subjectOf(undefined, sessions), {});
  assert.deepEqual(blockReference(tree.roots[0], sessions), { session: 's', block: 'b' });
  assert.equal(blockReference(undefined, sessions), undefined);
});

test('sizes and counts are grouped, and small ones are whole', () => {
  assert.deepEqual(
    [0, 1, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 12_345_678, 3e9].map(bytes => bytesText(wording, bytes)),
    ['0 bytes', '1 byte', '999 bytes', '1.0 kB', '9.9 kB', '10 kB', '999 kB', '1.0 MB', '12 MB', '3.0 GB'],
  );
  assert.equal(countText({ tokens: -1234, origin: 'estimated' }), '~-1,234');
});

test('issue 5: before a discard it is said where the agent sends the block by itself, and after it too', () => {
  const why = 'Its text was not found.';
  assert.equal(
    whatIfText(undefined, sessionOf([]), wording, why),
    [
      'The agent sends the source of this block by itself: the model goes on to see it.',
      why,
      'A discarded block does not come back in this session.',
      'Session: demo · to-do · d334d6845913',
    ].join('\n'),
  );
  assert.equal(
    outcomeText('plan', 'discarded', wording, why),
    'Block plan is discarded, but the agent goes on to send it by itself.',
  );
});
