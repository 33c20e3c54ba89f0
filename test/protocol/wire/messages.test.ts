import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shape } from '../../../protocol/shape.ts';
import { announcement, hostNotifications, LIMITS, watcherRequests } from '../../../protocol/wire/messages.ts';

const header = { version: 1, id: 'x', agent: 'pi', created: 5 };

/** A right value of every shape, with all members, and the members that may be absent. */
const RIGHT: readonly (readonly [string, Shape<unknown>, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  [
    'announcement',
    announcement,
    {
      wireVersion: 1,
      session: 's',
      agent: 'pi',
      cwd: '/w',
      pid: 5,
      bootId: 'b',
      socket: 's.sock',
      token: 't',
      started: 5,
    },
    ['cwd'],
  ],
  ['hello', watcherRequests.hello.params, { wireVersion: 1, nonce: 'n' }, []],
  ['answer to hello', watcherRequests.hello.result, { wireVersion: 1, nonce: 'n', proof: 'p' }, []],
  ['attach', watcherRequests.attach.params, { proof: 'p', known: { session: 's', nextSeq: 0 } }, ['known']],
  [
    'answer to attach',
    watcherRequests.attach.result,
    { header, policy: { rules: [] }, mayDiscard: true, nextSeq: 0, snapshot: {} },
    ['snapshot'],
  ],
  ['history', watcherRequests.history.params, { from: 0, to: 5 }, []],
  ['answer to history', watcherRequests.history.result, { events: [{}], next: 5 }, []],
  ['request', watcherRequests.request.params, { requestSequence: 1, offset: 0 }, []],
  ['answer to request', watcherRequests.request.result, { piece: '', length: 0, hash: '', content: 'hashes' }, []],
  ['whatIf', watcherRequests.whatIf.params, { blockId: 'a' }, []],
  ['answer to whatIf', watcherRequests.whatIf.result, { price: null }, []],
  ['discard', watcherRequests.discard.params, { blockId: 'a' }, []],
  ['answer to discard', watcherRequests.discard.result, { outcome: 'denied' }, []],
  ['events', hostNotifications.events, { events: [] }, []],
  ['closing', hostNotifications.closing, { reason: '' }, []],
];

for (const [what, shape, right, optional] of RIGHT) {
  test(`DESIGN The wire: ${what} is refused by the name of a member that is missing or of another kind`, () => {
    assert.equal(shape.fault(right, 'params'), undefined);
    assert.equal(shape.fault({ ...right, newer: true }, 'params'), undefined, 'a newer member is let through');
    for (const name of Object.keys(right)) {
      const { [name]: _, ...without } = right;
      const fault = shape.fault(without, 'params');
      assert.equal(fault === undefined, optional.includes(name), name);
      if (fault !== undefined) {
        assert.ok(fault.startsWith(`its ${name} is `), fault);
      }
      const wrong = shape.fault({ ...right, [name]: -1 }, 'params');
      assert.ok(wrong?.startsWith(`its ${name}`) || (name === 'price' && wrong === undefined), `${name}: ${wrong}`);
    }
    for (const value of [null, undefined, [], 'text', 5]) {
      assert.equal(shape.fault(value, 'params'), 'its params is no object');
    }
  });
}

test('DESIGN The wire: a name that every object has is no member', () => {
  const inherited = Object.create({ blockId: 'a' }) as unknown;
  assert.equal(watcherRequests.discard.params.fault(inherited, 'params'), 'its blockId is not text');
});

test('DESIGN The wire: an unauthenticated peer may send 4 kB, and no frame is larger than 8 MB', () => {
  assert.ok(LIMITS.unauthenticatedBytes <= 4_096);
  assert.ok(LIMITS.frameBytes <= 8_000_000);
});
