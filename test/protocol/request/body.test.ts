import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BodyPiece, type PieceSplice, spliceOf } from '../../../protocol/request/bodyPieces.ts';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { assertCorrupt, type Entry, logOf, snapshot } from './logKit.ts';

const HASH = 'a'.repeat(64);
const header = { config: { model: 'm' }, system: 'é', tools: [{ name: 't' }] };
const opened: Entry = { type: 'session/opened', data: {} };
const message = (n: number): Entry => ({
  type: 'host/message',
  data: { message: { n }, units: [] },
  surfaceOp: 'append',
});

/** A log of requests, each with one message more than the one before, and with its body. */
class Log {
  readonly entries: Entry[] = [opened];
  #requests = 0;

  request(body: object): this {
    const requestSequence = ++this.#requests;
    const stepStart = this.entries.length + 1;
    this.entries.push(
      message(requestSequence),
      { type: 'step/start', data: { turn: 1, step: requestSequence, requestSequence } },
      ...(requestSequence === 1 ? [snapshot(header)] : []),
      { type: 'request/sealed', data: { requestSequence, stepStart } },
      { type: 'request/body', data: { requestSequence, sha256: HASH, ...body } },
    );
    return this;
  }

  history(): RequestHistory {
    const history = new RequestHistory();
    for (const event of logOf(...this.entries)) {
      history.append(event);
    }
    return history;
  }
}

const whole = (insert: readonly unknown[]): object => ({ keepStart: 0, keepEnd: 0, insert });
const bytes = (text: string): number => Buffer.byteLength(text);

test('a body is text with holes, which the parts of its own sealed request fill', () => {
  const first = '{"system":"é","tools":[{"name":"t"}],"m":[{"n":1}], "n":1.0}';
  const second = '{"system":"é","tools":[{"name":"t"}],"m":[{"n":1},{"n":2}], "n":1.0}';
  const insert = [
    '{"system":',
    { part: 'system' },
    ',"tools":',
    { part: 'tools' },
    ',"m":[',
    { messages: [0, 1] },
    '], "n":1.0}',
  ];
  const history = new Log()
    .request({ bytes: bytes(first), pieces: whole(insert) })
    .request({ bytes: bytes(second), pieces: { keepStart: 5, keepEnd: 1, insert: [{ messages: [0, 2] }] } })
    .history();
  assert.equal(history.bodyText(1), first);
  assert.equal(history.bodyText(2), second);
  assert.equal(history.bodyText(3), undefined);
  assert.deepEqual(history.bodyPieces, insert.with(5, { messages: [0, 2] }));
});

test('the first body of an instance is whole: the one before it is another instance’s', () => {
  const log = new Log().request({ bytes: 2, pieces: whole(['{', '}']) });
  log.entries.push(opened);
  assert.deepEqual(log.history().bodyPieces, []);
  log.request({ bytes: 2, pieces: { keepStart: 1, keepEnd: 1, insert: [] } });
  assertCorrupt(() => log.history(), log.entries.length - 1, /it keeps 2 pieces of a body that has 0/);
});

test('where the log holds no content of it, a body has no text, and a compressed one is as long as what was compressed', () => {
  const history = new Log()
    .request({ bytes: 2 })
    .request({ bytes: 7, encoding: 'gzip', decoded: { bytes: 2, sha256: HASH }, pieces: whole(['{}']) })
    .history();
  assert.equal(history.bodyText(1), undefined);
  assert.equal(history.bodyText(2), '{}');
});

const FAULTY: readonly (readonly [string, object, RegExp])[] = [
  ['a piece that is none', { bytes: 2, pieces: whole(['{}', 3]) }, /insert\[1\] is no piece of a body/],
  ['a part that no request has', { bytes: 2, pieces: whole([{ part: 'config' }]) }, /is no piece/],
  ['two parts in one', { bytes: 2, pieces: whole([{ part: 'tools', messages: [0, 1] }]) }, /is no piece/],
  ['an empty run of messages', { bytes: 2, pieces: whole([{ messages: [1, 1] }]) }, /is no piece/],
  ['a run that ends nowhere', { bytes: 2, pieces: whole([{ messages: [0] }]) }, /is no piece/],
  ['a run from nowhere', { bytes: 2, pieces: whole([{ messages: [-1, 1] }]) }, /is no piece/],
  [
    'pieces that are kept of nothing',
    { bytes: 2, pieces: { keepStart: 0, keepEnd: 1, insert: [] } },
    /it keeps 1 pieces/,
  ],
  ['no length', { pieces: whole([]) }, /its bytes is not a whole number/],
  ['what was compressed, but not how', { bytes: 2, decoded: { bytes: 2, sha256: HASH } }, /but not both/],
];

for (const [what, body, reason] of FAULTY) {
  test(`a body with ${what} is a named error with its seq, and the log before it stays readable`, () => {
    const log = new Log().request(body);
    assertCorrupt(() => log.history(), log.entries.length - 1, reason);
    const history = new RequestHistory();
    const events = logOf(...log.entries);
    events.slice(0, -1).forEach(event => history.append(event));
    assert.throws(() => history.append(events.at(-1) as LogEvent), CorruptLogError);
    assert.deepEqual([history.requests, history.bodyPieces, history.bodyText(1)], [1, [], undefined]);
  });
}

test('a hole for what the request does not have is a named error with its seq', () => {
  const run = new Log().request({ bytes: 9, pieces: whole([{ messages: [0, 2] }]) });
  assertCorrupt(() => run.history().bodyText(1), run.entries.length - 1, /a hole for message 1, but the request has 1/);
  const other = new Log();
  other.request({ bytes: 9, pieces: whole([{ part: 'system' }]) });
  other.entries[3] = snapshot({ config: {} });
  assertCorrupt(() => other.history().bodyText(1), other.entries.length - 1, /a hole for system, which the request/);
});

test('a body of another length than it says is a named error', () => {
  const log = new Log().request({ bytes: 3, pieces: whole(['{}']) });
  assertCorrupt(() => log.history().bodyText(1), log.entries.length - 1, /make a body of 2 bytes, and not of the 3/);
});

test('a million holes make no more memory than the body says that it has, and no body is longer than 256 MB', () => {
  const big: JsonObject = { n: 'x'.repeat(1_000_000) };
  const insert = Array.from({ length: 1_000_000 }, () => ({ messages: [0, 1] }));
  for (const [length, reason] of [
    [1_000_008, /make a body of 1000008000000 bytes, and not of the 1000008/],
    [1_000_008_000_000, /longer than 268435456 bytes/],
  ] as const) {
    const log = new Log().request({ bytes: length, pieces: whole(insert) });
    log.entries[1] = { type: 'host/message', data: { message: big, units: [] }, surfaceOp: 'append' };
    assertCorrupt(() => log.history().bodyText(1), log.entries.length - 1, reason);
  }
});

const piece: fc.Arbitrary<BodyPiece> = fc.oneof(
  fc.constantFrom('a', 'b', 'c'),
  fc.constantFrom({ part: 'system' }, { part: 'tools' }),
  fc.tuple(fc.nat(2), fc.nat(2)).map(([from, more]): BodyPiece => ({ messages: [from, from + more + 1] })),
);

test('law: the change from one record to another, put to the first, is the other, and says no more than it must', () => {
  const applied = (before: readonly BodyPiece[], { keepStart, keepEnd, insert }: PieceSplice): readonly BodyPiece[] => [
    ...before.slice(0, keepStart),
    ...insert,
    ...before.slice(before.length - keepEnd),
  ];
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), fc.array(piece), fc.array(piece), (start, a, b, end) => {
      const before = [...start, ...a, ...end];
      const after = [...start, ...b, ...end];
      const splice = spliceOf(before, after);
      assert.deepEqual(applied(before, splice), after);
      assert.ok(splice.insert.length <= b.length);
      assert.ok(splice.keepStart + splice.keepEnd <= Math.min(before.length, after.length));
      assert.deepEqual(spliceOf(after, structuredClone(after)).insert, []);
    }),
  );
});

test('20,000 bodies of one session, each a piece longer, are kept as what is new in each', () => {
  const history = new RequestHistory();
  const entries: Entry[] = [opened, message(0)];
  const count = 20_000;
  for (let requestSequence = 1; requestSequence <= count; requestSequence++) {
    const stepStart = entries.length;
    entries.push(
      { type: 'step/start', data: { turn: 1, step: requestSequence, requestSequence } },
      ...(requestSequence === 1 ? [snapshot(header)] : []),
      { type: 'request/sealed', data: { requestSequence, stepStart } },
      {
        type: 'request/body',
        data: {
          requestSequence,
          sha256: HASH,
          bytes: requestSequence + 2,
          pieces:
            requestSequence === 1 ? whole(['{', 'x', '}']) : { keepStart: requestSequence, keepEnd: 1, insert: ['x'] },
        },
      },
    );
  }
  logOf(...entries).forEach(event => history.append(event));
  for (const requestSequence of [1, 2, 10_000, count]) {
    assert.equal(history.bodyText(requestSequence), `{${'x'.repeat(requestSequence)}}`);
  }
});
