import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLogHeader } from '../../../protocol/log/parseLogHeader.ts';
import { readEvent } from '../../../protocol/log/readEvent.ts';
import { LOG_VERSION, vocabulary } from '../../../protocol/log/sessionEvents.ts';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import { assertCorrupt } from '../request/logKit.ts';
import { sessions } from './sessions.ts';

const problem = { type: 'session/problem', seq: 4, time: 5, data: { code: 'c', sentence: 'S.' } };
const message = {
  type: 'host/message',
  seq: 4,
  time: 5,
  data: { message: { role: 'user' }, units: [] },
  surfaceOp: 'append',
};

const WRONG: readonly (readonly [string, unknown, RegExp])[] = [
  ['null', null, /no object/],
  ['a list', [problem], /no object/],
  ['no type', { ...problem, type: undefined }, /no type/],
  ['an empty type', { ...problem, type: '' }, /no type/],
  ['no seq', { ...problem, seq: undefined }, /seq is not its place/],
  ['a seq of text', { ...problem, seq: '4' }, /seq is not its place/],
  ['another seq', { ...problem, seq: 5 }, /seq is not its place/],
  ['no time', { ...problem, time: undefined }, /time is not a whole number/],
  ['a broken time', { ...problem, time: 1.5 }, /time is not a whole number/],
  ['a time past 2^53', { ...problem, time: 2 ** 60 }, /time is not a whole number/],
  ['no data', { ...problem, data: undefined }, /no data/],
  ['data of null', { ...problem, data: null }, /data is no object/],
  ['data without a member', { ...problem, data: { code: 'c' } }, /its sentence is not text/],
  ['data with a wrong member', { ...problem, data: { code: 'c', sentence: 5 } }, /its sentence is not text/],
  ['a broken ignorable', { ...problem, ignorable: 'yes' }, /ignorable is not true or false/],
  ['data that is wrong, although ignorable', { ...problem, data: {}, ignorable: true }, /its code is not text/],
  ['an unknown type', { ...problem, type: 'future/thing' }, /"future\/thing" is unknown.*newer version/],
  ['an unknown type, not ignorable', { ...problem, type: 'future/thing', ignorable: false }, /is unknown/],
  ['a type of the prototype', { ...problem, type: 'constructor' }, /"constructor" is unknown/],
  ['a surfaceOp beside no message', { ...problem, surfaceOp: 'append' }, /has a surfaceOp, but .*carries no message/],
  ['sources beside no message', { ...problem, sourceEventSeqs: [1] }, /has sourceEventSeqs, but/],
  ['a surfaceOp beside an unknown type', { ...message, type: 'future/thing', ignorable: true }, /carries no message/],
  ['a message without surfaceOp', { ...message, surfaceOp: undefined }, /has no surfaceOp/],
  ['an unknown surfaceOp', { ...message, surfaceOp: 'prepend' }, /neither "append" nor a replace/],
  ['an unknown operation', { ...message, surfaceOp: { op: 'move', start: 0, end: 0 } }, /neither "append"/],
  ['a replace without end', { ...message, surfaceOp: { op: 'replace', start: 0 } }, /no earlier event/],
  ['a replace of itself', { ...message, surfaceOp: { op: 'replace', start: 0, end: 4 } }, /no earlier event/],
  ['a replace before the log', { ...message, surfaceOp: { op: 'replace', start: -1, end: 0 } }, /no earlier event/],
  ['no source', { ...message, sourceEventSeqs: [] }, /no list of earlier events/],
  ['a later source', { ...message, sourceEventSeqs: [1, 4] }, /no list of earlier events/],
  ['a source of text', { ...message, sourceEventSeqs: ['1'] }, /no list of earlier events/],
  ['a source twice', { ...message, sourceEventSeqs: [1, 1] }, /name an event twice/],
];

for (const [what, value, reason] of WRONG) {
  test(`request-log 2.1: an event with ${what} is a named error with its place`, () => {
    assertCorrupt(() => readEvent(value, 4), 4, reason);
  });
}

test('request-log 2.1: events that are as they must be are read, uncopied', () => {
  for (const event of [
    problem,
    message,
    { ...problem, time: -1, ignorable: false },
    { ...problem, data: { ...problem.data, newer: 1 }, alsoNewer: 1 },
    { ...message, surfaceOp: { op: 'replace', start: 3, end: 0 }, sourceEventSeqs: [3, 0] },
    { ...problem, type: 'future/thing', data: null, ignorable: true },
  ]) {
    assert.equal(readEvent(event, 4), event);
  }
});

test('law: whatever member of an event is replaced by whatever, reading gives the event or CorruptLogError', () => {
  const refused = new Set<string>();
  fc.assert(
    fc.property(sessions, fc.nat(), fc.nat(), fc.jsonValue(), (events, first, second, value) => {
      const index = first % events.length;
      const event = structuredClone(events[index]) as unknown as Record<string, unknown>;
      const inData = event['data'] as Record<string, unknown>;
      const names = [
        ...Object.keys(event).map(name => [event, name] as const),
        ...Object.keys(inData).map(name => [inData, name] as const),
      ];
      const [target = event, name = 'data'] = names[second % names.length] ?? [];
      target[name] = value;
      try {
        assert.equal(readEvent(event, index), event);
      } catch (error) {
        assert.ok(error instanceof CorruptLogError, String(error));
        assert.equal(error.index, index);
        refused.add(error.reason);
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(refused.size > 50, `${refused.size} reasons`);
});

test('DESIGN The log: the first line says version, id, agent and creation', () => {
  const header = { version: LOG_VERSION, id: 'x', agent: 'pi', created: 5, cwd: '/w', newer: true };
  assert.equal(parseLogHeader(header), header);
});

test('DESIGN The log: a log of another version is refused by that name, whatever else its first line says', () => {
  for (const version of [0, 2, 99]) {
    assert.throws(() => parseLogHeader({ version, strange: true }), {
      name: 'CorruptLogError',
      message: `The first line of this log cannot be used: the log is of version ${version}, and this program reads version ${LOG_VERSION} only. Nothing of the log was read.`,
      index: undefined,
    });
  }
});

test('DESIGN The log: a first line that is no header is refused', () => {
  const header = { version: LOG_VERSION, id: 'x', agent: 'pi', created: 5 };
  for (const [value, reason] of [
    [null, /no object/],
    [[], /no object/],
    [problem, /its version is not/],
    [{ ...header, version: 'one' }, /its version is not/],
    [{ ...header, id: 5 }, /its id is not text/],
    [{ ...header, created: 'now' }, /its created is not/],
  ] as const) {
    assertCorrupt(() => parseLogHeader(value), undefined, reason);
  }
});

test('the generated sessions of the laws hold every type of the vocabulary', () => {
  const made = new Set(fc.sample(sessions, 200).flatMap(events => events.map(({ type }) => type)));
  assert.deepEqual(
    Object.keys(vocabulary).filter(type => !made.has(type)),
    [],
  );
});
