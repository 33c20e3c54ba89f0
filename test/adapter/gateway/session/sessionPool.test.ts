import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionPool, type Timers } from '../../../../adapter/gateway/session/sessionPool.ts';

/** Time that passes when a test says so. */
class FakeTimers implements Timers {
  #now = 0;
  #waiting: { readonly at: number; readonly work: () => void }[] = [];

  after(milliseconds: number, work: () => void): () => void {
    const one = { at: this.#now + milliseconds, work };
    this.#waiting.push(one);
    return () => {
      this.#waiting = this.#waiting.filter(other => other !== one);
    };
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#waiting.filter(({ at }) => at <= this.#now);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
    for (const { work } of due) {
      work();
    }
  }
}

class Item {
  readonly name: string;
  readonly #closed: string[];

  constructor(name: string, closed: string[]) {
    this.name = name;
    this.#closed = closed;
  }

  async close(reason: string): Promise<void> {
    this.#closed.push(`${this.name}: ${reason}`);
  }
}

function kit(most = 2): {
  readonly pool: SessionPool<Item>;
  readonly timers: FakeTimers;
  readonly closed: string[];
  readonly opened: string[];
  readonly open: (name: string) => () => Promise<Item>;
} {
  const timers = new FakeTimers();
  const closed: string[] = [];
  const opened: string[] = [];
  const open = (name: string) => async (): Promise<Item> => {
    opened.push(name);
    return new Item(name, closed);
  };
  return { pool: new SessionPool<Item>({ most, idle: 1_000, timers }), timers, closed, opened, open };
}

test('calls that come together open one session, and it stays open while one of them uses it', async () => {
  const { pool, timers, closed, opened, open } = kit();
  const leases = await Promise.all([1, 2, 3].map(() => pool.take('a', open('a'))));
  assert.deepEqual(opened, ['a']);
  leases[0]?.release();
  leases[0]?.release();
  leases[1]?.release();
  timers.pass(5_000);
  assert.deepEqual(closed, []);
  leases[2]?.release();
  timers.pass(999);
  const again = await pool.take('a', open('a'));
  timers.pass(5_000);
  assert.deepEqual([opened, closed], [['a'], []], 'a call before the time is over keeps it open');
  again.release();
  timers.pass(1_000);
  await pool.close('end');
  assert.deepEqual(closed, ['a: nothing was asked for a while']);
});

test('the least recently used session is closed for a new one; one that is in use is not', async () => {
  const { pool, closed, open } = kit();
  const first = await pool.take('a', open('a'));
  (await pool.take('b', open('b'))).release();
  (await pool.take('c', open('c'))).release();
  await Promise.resolve();
  assert.equal(pool.size, 2);
  first.release();
  await pool.close('end');
  assert.deepEqual(closed.sort(), ['a: end', 'b: other sessions were used since', 'c: end']);
});

test('a session is opened again only when it is closed, and after a failure the next call tries again', async () => {
  const { pool, opened, open } = kit(1);
  let finish = (): void => {};
  const slow = new Promise<void>(resolve => {
    finish = resolve;
  });
  const order: string[] = [];
  const lease = await pool.take(
    'a',
    async () =>
      ({
        name: 'a',
        close: async () => {
          await slow;
          order.push('closed');
        },
      }) as unknown as Item,
  );
  lease.release();
  (await pool.take('b', open('b'))).release();
  const again = pool.take('a', async () => {
    order.push('opened');
    return open('a')();
  });
  await Promise.resolve();
  assert.deepEqual(order, []);
  finish();
  (await again).release();
  assert.deepEqual(order, ['closed', 'opened']);
  const failing = async (): Promise<Item> => {
    throw new Error('the disk is full');
  };
  await assert.rejects(pool.take('c', failing), /the disk is full/);
  (await pool.take('c', open('c'))).release();
  assert.ok(opened.includes('c'));
  await pool.close('end');
  await assert.rejects(pool.take('d', open('d')), /being stopped/);
});
