import assert from 'node:assert/strict';
import { createHash, type Hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IncrementalSha256, StartSha256 } from '../../../protocol/request/hashing.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { type SealedRequest, Sealer, sealedText } from '../../../protocol/request/sealer.ts';
import { utf8Length } from '../../../protocol/utf8Length.ts';
import { headers } from './arbitraries.ts';
import { deepFreeze } from './vectorFile.ts';
import { message } from './viewKit.ts';

/** Counts the text that is hashed. */
class Work {
  hashed = 0;
  readonly start: StartSha256 = () => this.#of(createHash('sha256'));

  #of(hash: Hash): IncrementalSha256 {
    return {
      update: piece => {
        this.hashed += piece.length;
        hash.update(piece, 'utf8');
      },
      copy: () => this.#of(hash.copy()),
      digest: () => hash.digest('hex'),
    };
  }
}

/** What a seal is, said without a sealer. */
function slowSeal({ config, system, tools, messages }: SealedRequest) {
  const request = {
    config,
    ...(system !== undefined && system !== '' && { system }),
    ...(tools && tools.length > 0 && { tools }),
    messages,
  };
  const text = JSON.stringify(request);
  return {
    hash: createHash('sha256').update(text).digest('hex'),
    bytes: Buffer.byteLength(text),
    text,
  };
}

function assertSealed(sealer: Sealer, request: SealedRequest): void {
  const { text, ...seal } = slowSeal(request);
  assert.deepEqual(sealer.seal(request), seal);
  assert.equal(sealedText(request), text);
}

const config = deepFreeze({ model: 'm', temperature: 0 });

test('DESIGN flow 2: the sealed text is the JSON text of config, system, tools and messages, absent parts left out', () => {
  const tools = [{ name: 'dig' }];
  assert.equal(
    sealedText({ config, system: 's', tools, messages: [message('a')] }),
    '{"config":{"model":"m","temperature":0},"system":"s","tools":[{"name":"dig"}],"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}',
  );
  assert.equal(sealedText({ config: {}, messages: [] }), '{"config":{},"messages":[]}');
  assert.equal(sealedText({ config: {}, system: '', tools: [], messages: [] }), '{"config":{},"messages":[]}');
});

test('DESIGN flow 2: bytes are those of UTF-8, also of pairs, of lone surrogates and of what JSON escapes', () => {
  const odd = ['é', '€', '😀', '\ud800', '\udc00x', '\u2028', '"\\\n\u0000'].map(message);
  const sealer = new Sealer(new Work().start);
  assertSealed(sealer, { config: { model: 'é' }, system: '😀', messages: odd });
  assertSealed(sealer, { config: { model: 'é' }, system: '😀', messages: [...odd, message('x')] });
});

test('law: the UTF-8 length of any text is what the platform says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), (any, ascii) => {
      assert.equal(utf8Length(any), Buffer.byteLength(any));
      assert.equal(utf8Length(ascii + any.slice(1)), Buffer.byteLength(ascii + any.slice(1)));
    }),
    { numRuns: 1000 },
  );
  for (const text of ['\ud800', '\udc00', '\udc00\ud800', 'a\ud800', '\ud83d\ude00\ude00', '\ud83d\ud83d\ude00']) {
    assert.equal(utf8Length(text), Buffer.byteLength(text), JSON.stringify(text));
  }
});

/** Short ones, and such as lie further apart than the marks of a sealer. */
const sizes = fc.array(fc.oneof(fc.nat(50), fc.constantFrom(12_000, 40_000)), { maxLength: 6 });
const plans = fc.array(
  fc.record({ keep: fc.nat(8), fresh: sizes, change: fc.option(fc.nat(8)), header: fc.constantFrom(0, 0, 0, 1) }),
  { maxLength: 8 },
);

test('law: DESIGN flow 2: whatever request follows whatever request, the seal is the hash of the JSON text', () => {
  fc.assert(
    fc.property(plans, fc.array(headers(), { minLength: 2, maxLength: 2 }), (plan, all) => {
      const sealer = new Sealer(new Work().start);
      let made = 0;
      const fresh = (size: number) => message(`${made++}é`.padEnd(size, 'x'));
      let messages: readonly JsonObject[] = [];
      for (const { keep, fresh: lengths, change, header } of plan) {
        messages = [...messages.slice(0, keep), ...lengths.map(fresh)];
        if (change !== null && change < messages.length) {
          messages = messages.with(change, fresh(20));
        }
        const { config: own, system, tools } = all[header] ?? { config };
        assertSealed(sealer, {
          config: own,
          ...(system !== undefined && { system }),
          ...(tools && { tools }),
          messages,
        });
      }
    }),
    { numRuns: 200 },
  );
});

/** About 4 MB in 10,000 messages, each of which counts how often it is made text. */
function longView(reads: { count: number }): readonly JsonObject[] {
  return Array.from({ length: 10_000 }, (_, index) => counted(`${index} `.padEnd(380, 'text '), reads));
}

function counted(text: string, reads: { count: number }): JsonObject {
  const content = Object.defineProperty({ role: 'user' }, 'content', {
    enumerable: true,
    get() {
      reads.count++;
      return text;
    },
  });
  return Object.freeze(content) as never;
}

test('DESIGN speed: of 10,000 messages of 4 MB with 2 new ones, only those 2 are made text and hashed', () => {
  const reads = { count: 0 };
  const work = new Work();
  const sealer = new Sealer(work.start);
  const view = longView(reads);
  const first = sealer.seal({ config, messages: view });
  assert.ok(first.bytes > 4_000_000);
  reads.count = 0;
  work.hashed = 0;
  // The host's config is a fresh copy each time.
  sealer.seal({ config: { ...config }, messages: [...view, counted('x', reads), counted('y', reads)] });
  assert.equal(reads.count, 2);
  assert.ok(work.hashed < 200, `${work.hashed} code units`);
});

test('DESIGN speed: a change in the middle makes it read what is behind, and little of what is before', () => {
  const reads = { count: 0 };
  const work = new Work();
  const sealer = new Sealer(work.start);
  const view = longView(reads);
  sealer.seal({ config, messages: view });
  const seal = (messages: readonly JsonObject[]) => {
    reads.count = 0;
    work.hashed = 0;
    sealer.seal({ config, messages });
    return reads.count;
  };
  assert.ok(seal(view.with(9990, counted('tombstone', reads))) < 100);
  const half = seal(view.with(5000, counted('tombstone', reads)));
  assert.ok(half >= 5000 && half < 5100, `${half}`);
  assert.ok(seal(view.slice(0, 4000)) < 100, 'a rewind reads nothing before it but up to the last mark');
});

test('a message that is no JSON throws, and what is sealed after it is right', () => {
  const sealer = new Sealer(new Work().start);
  const long = (text: string) => message(text.padEnd(40_000, 'x'));
  const [a, b, c] = [long('a'), long('b'), long('c')];
  assertSealed(sealer, { config, messages: [a, b] });
  const bad = { role: 'user', content: 1n } as unknown as JsonObject;
  assert.throws(() => sealer.seal({ config, messages: [a, c, bad] }), TypeError);
  assertSealed(sealer, { config, messages: [a, b] });
  assertSealed(sealer, { config, messages: [a, c] });
});
