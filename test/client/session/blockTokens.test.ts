import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockTokens } from '../../../client/session/blockTokens.ts';
import type { PanelSession } from '../../../client/session/sessionModel.ts';
import type { Price } from '../../../protocol/log/sessionEvents.ts';
import { TestSession } from '../editor/session.ts';

const price: Price = {
  rewritten: { tokens: 1, origin: 'exact' },
  freed: { tokens: 12, origin: 'estimated' },
};

/** The parts of a session that are asked. */
function sessionThat(answers: () => Promise<Price | undefined>, more: Partial<PanelSession> = {}) {
  const asked: string[] = [];
  const session = {
    key: 'one',
    link: { kind: 'connected' },
    state: new TestSession().request().state,
    whatIf(id: string) {
      asked.push(id);
      return answers();
    },
    ...more,
  } as PanelSession;
  return { asked, session };
}

test('a block is asked for once, however often it is drawn, and who draws is told', async () => {
  const tokens = new BlockTokens();
  const { asked, session } = sessionThat(() => Promise.resolve(price));
  const told = new Promise<void>(resolve => {
    tokens.onMore(resolve);
  });
  assert.equal(tokens.of(session, 'style'), undefined);
  assert.equal(tokens.of(session, 'style'), undefined);
  await told;
  assert.deepEqual(tokens.of(session, 'style'), price.freed);
  assert.deepEqual(asked, ['style']);
  const lost = { ...session, link: { kind: 'lost', sentence: '', since: 0 } } as const;
  assert.deepEqual(tokens.of(lost, 'style'), price.freed, 'what is known stays');
});

test('before the first request, and of a session that is not connected, nothing is asked', () => {
  const tokens = new BlockTokens();
  for (const more of [{ state: new TestSession().state }, { link: { kind: 'past' } as const }]) {
    const { asked, session } = sessionThat(() => Promise.resolve(price), more);
    assert.equal(tokens.of(session, 'style'), undefined);
    assert.deepEqual(asked, []);
  }
});

test('issue 4: a block is not counted against a request that does not hold it yet, or holds one that is discarded', async () => {
  const waits = new TestSession().request().activated('AGENTS.md', 'old', 'x');
  const joins = new TestSession().request();
  joins.add('block/activated', {
    ...waits.state.lifecycle.blocks.get('old')!.activated,
    blockId: 'new',
    requestSequence: 2,
  });
  const goes = new TestSession().activated('AGENTS.md', 'old', 'x').request().discarded('AGENTS.md', 'old', 2);
  for (const pending of [joins, goes]) {
    const tokens = new BlockTokens();
    const before = sessionThat(() => Promise.resolve(price), { state: pending.state });
    assert.equal(tokens.of(before.session, 'style'), undefined);
    assert.deepEqual(before.asked, []);
    const after = sessionThat(() => Promise.resolve(price), { state: pending.request().state });
    tokens.of(after.session, 'style');
    assert.deepEqual(after.asked, ['style']);
  }
});

test('a listener that was ended is told nothing', async () => {
  const tokens = new BlockTokens();
  const { session } = sessionThat(() => Promise.resolve(price));
  const heard: string[] = [];
  tokens.onMore(() => heard.push('ended')).dispose();
  const told = new Promise<void>(resolve => {
    tokens.onMore(resolve);
  });
  tokens.of(session, 'style');
  await told;
  assert.deepEqual(heard, []);
});

test('issue 4: a session that goes on in another log is asked anew: another text may have the same ID', async () => {
  const tokens = new BlockTokens();
  const texts = ['short', 'a longer one'].map(text =>
    new TestSession().activated('AGENTS.md', 'style', text).request(),
  );
  const [first, other] = texts.map(({ state }) => sessionThat(() => Promise.resolve(price), { state }));
  assert.ok(first && other);
  const told = new Promise<void>(resolve => {
    tokens.onMore(resolve);
  });
  tokens.of(first.session, 'style');
  await told;
  assert.deepEqual(tokens.of(first.session, 'style'), price.freed);
  assert.equal(tokens.of(other.session, 'style'), undefined);
  assert.deepEqual(other.asked, ['style']);
});
