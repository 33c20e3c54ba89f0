import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, CONFIG, checkedSession } from './sessionKit.ts';

class Custom {
  readonly role = 'user';
  readonly content = 'of a class';
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) {
    value = [value];
  }
  return value;
}

function cyclic(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

const sparse: unknown[] = [1];
sparse.length = 4;

const throwing = {
  get role(): string {
    throw new Error('a trap');
  },
};
const trap = new Proxy({}, { ownKeys: () => assert.fail('a trap') });

/** Values that no request can hold: each is refused wherever it stands. */
const REFUSED: Readonly<Record<string, unknown>> = {
  'a function': () => 1,
  'a big number': 1n,
  'no number': Number.NaN,
  'a number without end': Number.POSITIVE_INFINITY,
  'a symbol': Symbol('s'),
  'an object of a class': new Custom(),
  'a date': new Date(0),
  'a map': new Map([['a', 1]]),
  'an object in itself': cyclic(),
  'a value nested 2,000 deep': nested(2_000),
  'a value nested 200,000 deep': nested(200_000),
  'a list with holes': sparse,
  'an object whose members throw': throwing,
  'a proxy that throws': trap,
};

/** Values that a request can hold, in some form. */
const TAKEN: Readonly<Record<string, unknown>> = {
  'an object without prototype': Object.assign(Object.create(null) as object, { a: 1 }),
  'a member named __proto__': JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  'an undefined member': { a: undefined, b: 1 },
  'a member named by a symbol': { [Symbol('s')]: 1, b: 2 },
  'a negative zero': -0,
  'half a surrogate pair': '\ud83d',
  'line separators': '\u2028\u2029\u0000',
  'a value nested 500 deep': nested(500),
  'members with numbers for names': { 10: 'a', 9: 'b', a: 'c' },
  'a long text': 'x'.repeat(3_000_000),
};

async function buildsAgain(checked: Checked, requestSequence: number): Promise<void> {
  const sealed = await checked.request([user('a'), user('b')]);
  assert.equal(sealed.requestSequence, requestSequence);
}

for (const [what, value] of Object.entries(REFUSED)) {
  test(`issue 3.2: ${what} in a message, a tool, the system or the config is refused, and nothing of it is logged`, async t => {
    const checked = await checkedSession(t, { config: { countTokens: true } });
    const { session } = checked;
    await checked.request([user('a')]);
    const { nextSeq } = session.state;
    const good = { messages: [user('a'), user('b')], config: CONFIG };
    const message = { role: 'user', content: [{ type: 'text', text: 'x', more: value }] } as unknown as JsonObject;
    for (const bad of [
      { ...good, messages: [user('a'), message] },
      { ...good, messages: [user('a'), value as JsonObject] },
      { ...good, tools: [{ name: 'bash', more: value }] as never },
      { ...good, system: [value] as never },
      { ...good, config: { model: 'm', more: value } as never },
    ]) {
      await assert.rejects(
        session.buildRequest(bad),
        (error: unknown) => error instanceof Error && error.message.length > 5,
      );
      assert.equal(session.state.nextSeq, nextSeq);
    }
    assert.throws(() => session.inject(message, 'plugin:x'), Error);
    assert.equal(session.state.nextSeq, nextSeq);
    await buildsAgain(checked, 2);
    await checked.close();
  });
}

for (const [what, value] of Object.entries(TAKEN)) {
  test(`issue 3.2: ${what} is taken in a message, a tool, the system and the config, and rebuilt from the log`, async t => {
    const checked = await checkedSession(t, { config: { countTokens: true } });
    const message = { role: 'user', content: [{ type: 'text', text: 'x', more: value }] } as unknown as JsonObject;
    const more = {
      system: [value],
      tools: [{ name: 'bash', more: value }],
      config: { model: 'm', more: value },
    } as never;
    for (let request = 0; request < 2; request++) {
      await checked.check(await checked.session.buildRequest({ ...(more as object), messages: [message] } as never));
    }
    checked.session.inject({ ...message, injected: true }, 'plugin:x');
    await checked.check(await checked.session.buildRequest({ ...(more as object), messages: [message] } as never));
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    await buildsAgain(checked, 4);
    await checked.close();
  });
}
