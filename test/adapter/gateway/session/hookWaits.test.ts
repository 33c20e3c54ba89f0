import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Timers } from '../../../../adapter/gateway/session/sessionPool.ts';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import { inTime } from '../../../server/deadline.ts';
import { ANTHROPIC } from './dialects.ts';
import { type Asked, GatewayHouse } from './gatewayHouse.ts';

/** Timers of waits, which end when a test says so. */
class Waits implements Timers {
  readonly waiting = new Set<() => void>();
  readonly #changes = new EventEmitter();
  count = 0;

  after(milliseconds: number, work: () => void): () => void {
    if (milliseconds >= 10_000) {
      return () => {};
    }
    this.waiting.add(work);
    this.count++;
    this.#changes.emit('change');
    return () => {
      this.waiting.delete(work);
      this.#changes.emit('change');
    };
  }

  /** When so many requests wait. */
  async are(count: number): Promise<void> {
    while (this.waiting.size !== count) {
      await inTime(once(this.#changes, 'change'), 'a wait');
    }
  }

  end(): void {
    for (const work of this.waiting) {
      this.waiting.delete(work);
      work();
    }
  }
}

interface Place {
  readonly house: GatewayHouse;
  readonly waits: Waits;
  /** The first request of a session, which shows the file as Claude Code does. */
  first(session: string): Promise<Asked>;
  hook(session: string): Promise<string>;
}

async function place(t: TestContext, sources: readonly string[] = []): Promise<Place> {
  const waits = new Waits();
  const house = await GatewayHouse.open(
    t,
    ['a', 'b', 'c', 'd', 'e'].map(text => ({ text })),
    { files: { 'CLAUDE.md': definition('plan', 'Step one.') }, sources, timers: waits },
  );
  const path = join(house.project, 'CLAUDE.md');
  const memory = `Contents of ${path} (project instructions, checked into the codebase):\n\nStep one.\n`;
  return {
    house,
    waits,
    first: session => house.ask(ANTHROPIC, [{ user: memory }, { user: 'go' }], { session }),
    hook: session =>
      house.hook({ session_id: session, file_path: path, memory_type: 'Project', load_reason: 'session_start' }),
  };
}

test('a first request that shows instructions waits for the hook, also when none was heard yet', async t => {
  const { house, waits, first, hook } = await place(t);
  const asked = first('s-1');
  await waits.are(1);
  assert.deepEqual(house.bodies, []);
  await hook('s-1');
  await asked;
  assert.ok(house.lastBody().includes('<!--BLOCK_ID:plan-->\\nStep one.'));
  assert.equal(house.lastBody().split('Step one.').length, 2);
});

test('two waits in vain, and nobody has the hook: no request waits any more, until a hook is heard', async t => {
  const { house, waits, first, hook } = await place(t);
  for (const session of ['s-1', 's-2']) {
    const asked = first(session);
    await waits.are(1);
    waits.end();
    assert.equal((await asked).status, 200);
    assert.ok(!house.lastBody().includes('BLOCK_ID:plan'), 'that a request shows a file loads nothing');
  }
  await first('s-3');
  assert.equal(waits.count, 2);
  await hook('s-0');
  const asked = first('s-4');
  await waits.are(1);
  await hook('s-4');
  await asked;
  assert.ok(house.lastBody().includes('<!--BLOCK_ID:plan-->'));
  assert.equal(waits.count, 3);
});

test('no hook is waited for where a person has named what is shown, or nothing is', async t => {
  const { house, waits, first } = await place(t, ['CLAUDE.md']);
  await first('s-1');
  assert.ok(house.lastBody().includes('<!--BLOCK_ID:plan-->'));
  await house.ask(ANTHROPIC, [{ user: 'go' }], { session: 's-2' });
  assert.equal(waits.count, 0);
});

test('an agent that goes away while it waits says nothing about hooks', async t => {
  const { house, waits, first } = await place(t);
  for (const session of ['s-1', 's-2', 's-3']) {
    const leaving = new AbortController();
    const path = join(house.project, 'CLAUDE.md');
    const said = [{ user: `Contents of ${path} (project instructions):\n\nStep one.\n` }];
    const asked = house.ask(ANTHROPIC, said, { session, signal: leaving.signal });
    await waits.are(1);
    leaving.abort();
    await assert.rejects(asked);
    await waits.are(0);
  }
  const asked = first('s-4');
  await waits.are(1);
  waits.end();
  await asked;
});
