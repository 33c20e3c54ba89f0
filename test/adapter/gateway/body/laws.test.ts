import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BodyItem, BodyPart, BodyView } from '../../../../adapter/gateway/body/bodyView.ts';
import { composeBody } from '../../../../adapter/gateway/body/composeBody.ts';
import { editedBytes } from '../../../../adapter/gateway/body/editedBytes.ts';
import { bodyText } from '../../../../protocol/request/bodyText.ts';
import type { Json, JsonObject } from '../../../../protocol/request/json.ts';
import type { SealedRequest } from '../../../../protocol/request/sealer.ts';
import { hostileBody, hostileObject } from './hostileJson.ts';

const fault = (reason: string): never => assert.fail(reason);

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : value === undefined ? [] : [{ whole: value }]) as readonly JsonObject[];
}

/** A view in which nothing became another; every other message is one of the sealed request. */
function sameView(value: JsonObject, holes: boolean): { readonly view: BodyView; readonly request: SealedRequest } {
  const own = Object.hasOwn(value, 'messages') ? value['messages'] : undefined;
  const values = itemsOf(own);
  const items = values.map((item, index) => ({
    value: item,
    received: index,
    same: true,
    ...(holes && { sealed: index }),
  }));
  const parts = (['system', 'tools'] as const).flatMap((part): BodyPart[] =>
    holes && Object.hasOwn(value, part) ? [{ part, member: part, value: value[part] ?? null }] : [],
  );
  const request = {
    config: {},
    ...Object.fromEntries(parts.map(({ part, value: content }) => [part, content])),
    messages: values,
  } as SealedRequest;
  return { view: { list: 'messages', items, members: new Map(), parts }, request };
}

test('law: with nothing to apply the body is the received text, whatever JSON it is, and its record gives it back', () => {
  fc.assert(
    fc.property(hostileBody, fc.boolean(), (text, holes) => {
      const value = JSON.parse(text) as JsonObject;
      const { view, request } = sameView(value, holes);
      const composed = composeBody({ text, value }, view);
      assert.equal(composed.text, text);
      assert.equal(bodyText(composed.pieces, request, Buffer.byteLength(text), fault), text);
    }),
    { numRuns: 3_000 },
  );
});

/** Numbers that a test draws one after another. */
class Draw {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(limit: number): number {
    return (this.#numbers[this.#at++ % this.#numbers.length] ?? 0) % limit;
  }
}

/** A copy in which something became another. */
function mutated(value: Json, draw: Draw): Json {
  if (typeof value !== 'object' || value === null || draw.below(5) === 0) {
    return ['new', 7, null, { put: ['in'] }, [], 'é\ud800"'][draw.below(6)] as Json;
  }
  if (Array.isArray(value)) {
    const items: Json[] = [...(value as readonly Json[])];
    const at = draw.below(items.length + 1);
    items.splice(at, draw.below(2), mutated(items[at] ?? null, draw));
    return items;
  }
  const entries = Object.entries(value);
  const at = draw.below(entries.length + 1);
  const entry = entries[at];
  entries.splice(at, draw.below(4) === 0 ? 0 : 1, [
    entry && draw.below(6) > 0 ? entry[0] : 'added',
    mutated(entry?.[1] ?? null, draw),
  ]);
  return Object.fromEntries(entries);
}

test('law: the body holds what is wanted, and its record gives it back', () => {
  fc.assert(
    fc.property(hostileBody, fc.array(fc.nat(1_000), { minLength: 1, maxLength: 60 }), (text, numbers) => {
      const draw = new Draw(numbers);
      const value = JSON.parse(text) as JsonObject;
      const own = Object.hasOwn(value, 'messages') ? value['messages'] : undefined;
      const items: BodyItem[] = [];
      const messages: JsonObject[] = [];
      const add = (item: Omit<BodyItem, 'sealed'>): void => {
        const isMessage = draw.below(4) > 0;
        items.push({ ...item, ...(isMessage && { sealed: messages.length }) });
        if (isMessage) {
          messages.push(item.value);
        }
      };
      const putIn = (): void => {
        for (let left = draw.below(6) - 3; left > 0; left--) {
          add({ value: { role: 'put in', left }, same: false });
        }
      };
      putIn();
      for (const [received, item] of itemsOf(own).entries()) {
        const same = draw.below(3) > 0;
        // An edit takes some out of a list; what is no list is one item, which stays.
        if (Array.isArray(own) && draw.below(4) === 0) {
          putIn();
          continue;
        }
        add({ value: same ? item : (mutated(item, draw) as JsonObject), received, same });
        putIn();
      }
      const members = new Map<string, Json>();
      for (const name of ['system', 'tools', 'a', '__proto__', 'length']) {
        if (draw.below(4) === 0) {
          members.set(name, mutated(Object.hasOwn(value, name) ? (value[name] ?? null) : null, draw));
        }
      }
      const system = members.get('system') ?? (Object.hasOwn(value, 'system') ? value['system'] : undefined);
      const parts: readonly BodyPart[] =
        system === undefined ? [] : [{ part: 'system', member: 'system', value: system }];
      const { text: made, pieces, edits } = composeBody({ text, value }, { list: 'messages', items, members, parts });
      assert.equal(editedBytes(Buffer.from(text), text, edits).toString(), made);
      const wanted = new Map(Object.entries(value));
      const isNoList = !Array.isArray(own) && items.every(({ same, received }) => same && received !== undefined);
      if (!isNoList) {
        wanted.set(
          'messages',
          items.map(item => item.value),
        );
      }
      for (const [name, member] of members) {
        wanted.set(name, member);
      }
      // JSON text: it tells the order of members, and `__proto__` is one like any other.
      assert.equal(JSON.stringify(JSON.parse(made)), JSON.stringify(Object.fromEntries(wanted)));
      const request = { config: {}, ...(system !== undefined && { system }), messages };
      assert.equal(bodyText(pieces, request, Buffer.byteLength(made), fault), made);
    }),
    { numRuns: 4_000 },
  );
});

const LEAF = '"@leaf@"';

test('law: where one value of a message became another, every other character stays', () => {
  const withLeaf = fc.tuple(hostileObject, hostileObject, hostileObject, fc.nat()).map(([a, b, c, at]) => {
    const text = ` {"x" : ${b} , "messages" :[${c} , ${a}\n], "stream":true , "n": 1.0}\n`;
    const spots = [...text.matchAll(/"@?[^"\\]*"(?=\s*[,}\]])|\b1\.0\b|null/g)];
    const spot = spots[at % spots.length];
    assert.ok(spot);
    return [text.slice(0, spot.index), text.slice(spot.index + spot[0].length)] as const;
  });
  fc.assert(
    fc.property(withLeaf, fc.string({ unit: 'binary' }), ([start, end], leaf) => {
      const text = `${start}${LEAF}${end}`;
      const wanted = `${start}${JSON.stringify(leaf)}${end}`;
      const value = JSON.parse(text) as JsonObject;
      const after = JSON.parse(wanted) as JsonObject;
      const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
      const befores = value['messages'] as readonly JsonObject[];
      const items = (after['messages'] as readonly JsonObject[]).map((item, received) => ({
        value: item,
        received,
        same: same(item, befores[received]),
      }));
      const members = new Map(
        Object.entries(after).filter(([name, member]) => name !== 'messages' && !same(member, value[name])),
      );
      const composed = composeBody({ text, value }, { list: 'messages', items, members });
      assert.equal(editedBytes(Buffer.from(text), text, composed.edits).toString(), composed.text);
      // A leaf that a later member of the same name hides is not there at all.
      assert.equal(composed.text, same(value, after) ? text : wanted);
    }),
    { numRuns: 3_000 },
  );
});
