import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromJson, toJson, toJsonObject } from '../../../adapter/agents/hostJson.ts';
import { frozenMessage } from '../../../protocol/lifecycle/messageCopy.ts';
import type { Json } from '../../../protocol/request/json.ts';

test('JSON comes back as the same object', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const fits = JSON.parse(JSON.stringify(value)) as unknown;
      const json = toJson(fits);
      assert.ok(json === fits);
      assert.deepEqual(fromJson(json), fits);
    }),
  );
});

test('bytes and addresses survive, at any depth and among objects that look like them', () => {
  const leaf = fc.oneof(
    fc.uint8Array(),
    fc.webUrl().map(address => new URL(address)),
    fc.string(),
    fc.constantFrom({ $bytes: 'x' }, { $url: 7 }, { $json: { $bytes: '' } }, { $bytes: 'x', more: 1 }),
  );
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
  }));
  fc.assert(
    fc.property(tree, value => {
      const plain = JSON.parse(JSON.stringify(toJson(value))) as Json;
      assert.deepEqual(normal(fromJson(plain)), normal(value));
    }),
  );
});

test('what JSON.stringify leaves out is left out', () => {
  const value = { a: undefined, b: [undefined, Number.NaN], c: () => 1, d: new Date(0), e: 1 };
  assert.deepEqual(toJson(value), JSON.parse(JSON.stringify(value)));
});

test('a member called __proto__ stays a member', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as object;
  const json = toJson({ ...value, gone: undefined, ['__proto__']: 1 });
  assert.ok(Object.hasOwn(json as object, '__proto__'));
});

/** Without prototypes: dictionaries of fast-check have none. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(normal);
  }
  if (value instanceof Uint8Array || value instanceof URL || typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normal(inner)]));
}

test('a value that stands in itself is left for the session to refuse, with a sentence', () => {
  const inItself: Record<string, unknown> = { role: 'user' };
  inItself['content'] = [inItself];
  assert.throws(() => frozenMessage(toJsonObject(inItself), 0), {
    name: 'UnreadableMessageError',
    message: /messages\[0\].*in itself/,
  });
});
