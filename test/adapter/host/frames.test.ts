import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FrameBytes, FrameError } from '../../../local/wire/frameBytes.ts';
import { readRpcMessage } from '../../../local/wire/rpcMessage.ts';
import { hostile, seeded } from './hostileFrames.ts';
import { frame } from './rawPeer.ts';

const LIMITS = { untrusted: 4_096, frame: 100_000 } as const;

function bodies(frames: FrameBytes): string[] {
  const found: string[] = [];
  for (let body = frames.next(); body; body = frames.next()) {
    found.push(body.toString());
  }
  return found;
}

test('wire: each of 100,000 hostile frames gives a message, or waits for more, or is refused by name', () => {
  const random = seeded(3);
  const outcomes = { message: 0, waits: 0, refused: 0 };
  for (let round = 0; round < 100_000; round++) {
    const frames = new FrameBytes(LIMITS);
    try {
      frames.push(Buffer.from(hostile(random)));
      const body = frames.next();
      const kind = body && readRpcMessage(body).message.kind;
      outcomes[kind ? 'message' : 'waits'] += 1;
    } catch (error) {
      assert.ok(error instanceof FrameError, String(error));
      outcomes.refused += 1;
    }
  }
  assert.ok(outcomes.refused > 50_000, JSON.stringify(outcomes));
  assert.ok(outcomes.message > 1_000, JSON.stringify(outcomes));
  assert.ok(outcomes.waits > 1_000, JSON.stringify(outcomes));
});

test('wire: frames are the same however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' })), fc.array(fc.nat(200)), (texts, cuts) => {
      const bytes = Buffer.from(texts.map(frame).join(''));
      const frames = new FrameBytes(LIMITS);
      frames.trust();
      const found: string[] = [];
      let start = 0;
      for (const cut of [...cuts, bytes.length]) {
        frames.push(bytes.subarray(start, start + cut));
        found.push(...bodies(frames));
        start += cut;
      }
      assert.deepEqual(found, texts);
    }),
  );
});

test('wire: what is pushed while frames wait to be taken is kept, and in order', () => {
  const frames = new FrameBytes(LIMITS);
  frames.trust();
  const texts = Array.from({ length: 3_000 }, (_, index) => `${index}`.padEnd(1 + (index % 90), '.'));
  const found: string[] = [];
  for (const [index, text] of texts.entries()) {
    frames.push(Buffer.from(frame(text)));
    if (index % 3 === 0) {
      found.push(String(frames.next()));
    }
  }
  found.push(...bodies(frames));
  assert.deepEqual(found, texts);
});

for (const [what, header] of [
  ['a negative length', 'Content-Length: -1'],
  ['a length that is no whole number', 'Content-Length: 1.5'],
  ['a length with an exponent', 'Content-Length: 1e1'],
  ['a length of zero', 'Content-Length: 0'],
  ['a huge length', `Content-Length: ${'9'.repeat(30)}`],
  ['a length above the limit', `Content-Length: ${LIMITS.frame + 1}`],
  ['two lengths', 'Content-Length: 2\r\ncontent-length: 2'],
  ['two content types', 'Content-Length: 2\r\nContent-Type: a\r\nContent-Type: a'],
  ['no length', 'Content-Type: a'],
  ['another header', 'Content-Length: 2\r\nX-Other: a'],
  ['a folded header', 'Content-Length:\r\n 2'],
  ['no header at all', ''],
  ['a header without end', 'Content-Length: 2\r\n'.repeat(20)],
  ['bytes above ASCII', 'Content-Length: 2\r\nContent-Type: ü'],
] as const) {
  test(`wire: a frame with ${what} is refused`, () => {
    const frames = new FrameBytes(LIMITS);
    frames.trust();
    frames.push(Buffer.from(`${header}\r\n\r\n{}`));
    assert.throws(() => frames.next(), FrameError);
  });
}

for (const [what, body] of [
  ['a list of messages', '[{"jsonrpc":"2.0","id":1,"method":"a"}]'],
  ['no JSON', '{'],
  ['null', 'null'],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"a"}'],
  ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"a"}'],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"a"}'],
  ['params by position', '{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}'],
  ['an answer to nothing', '{"jsonrpc":"2.0","result":1}'],
  ['an answer without result', '{"jsonrpc":"2.0","id":1}'],
  ['an error that is none', '{"jsonrpc":"2.0","id":1,"error":5}'],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":{}}'],
] as const) {
  test(`wire: ${what} is no message`, () => {
    assert.throws(() => readRpcMessage(Buffer.from(body)), FrameError);
  });
}

test('wire: bytes that are no UTF-8 are no message', () => {
  assert.throws(() => readRpcMessage(Buffer.from([0x22, 0xff, 0x22])), FrameError);
});
