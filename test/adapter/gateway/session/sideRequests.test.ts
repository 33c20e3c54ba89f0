import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, reduce } from '../../../../protocol/log/reduce.ts';
import { inTime } from '../../../server/deadline.ts';
import { DIALECTS, type Said } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';

const SECRET = '<!--ephemeral-->\nSECRET';
const FIRST: readonly Said[] = [{ user: 'go' }];
const SECOND: readonly Said[] = [...FIRST, { calls: 'c1' }, { result: 'c1', text: SECRET }];
const CALL = { toolCalls: [{ id: 'c1', name: 'bash', arguments: {} }] };

for (const dialect of DIALECTS) {
  test(`a request of ${dialect.agent} beside one that still runs: neither is given up, and what the first one shows is consumed once`, async t => {
    let release = (): void => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    t.after(() => release());
    const usage = { input: 70, output: 7 };
    const house = await GatewayHouse.open(t, [
      CALL,
      { text: 'slow', usage, released: piece => (piece > 0 ? held : Promise.resolve()) },
      { text: 'a title', cut: true },
      { text: 'end' },
    ]);
    await house.ask(dialect, FIRST);
    const slow = house.ask(dialect, SECOND);
    await inTime(
      (async () => {
        while (house.bodies.length < 2) {
          await new Promise(resolve => setImmediate(resolve));
        }
      })(),
      'the request reached the model',
    );
    await assert.rejects(house.ask(dialect, [...SECOND, { user: 'A title?' }]));
    release();
    assert.equal((await slow).status, 200);
    await house.ask(dialect, [...SECOND, { says: 'slow' }, { user: 'more' }]);
    assert.deepEqual(
      house.bodies.map(body => dialect.resultIn(body, 'c1')?.includes('SECRET')),
      [undefined, true, true, false],
    );
    await house.gateway.close();
    await house.checkLog();
    const log = (await house.logs()).get('s-1');
    const state = log?.events.reduce(reduce, initialState);
    assert.deepEqual(
      state?.requests
        .toArray()
        .map(({ ended }) => [ended?.outcome, ended?.outcome === 'failed' ? 0 : ended?.usage?.output]),
      [
        ['completed', 10],
        ['completed', 7],
        ['failed', 0],
        ['completed', 10],
      ],
    );
  });
}
