import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LogReader, type LogReading, readLogText } from '../../../protocol/log/logReader.ts';
import { LOG_VERSION, type NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { withoutContent } from '../../../protocol/log/withoutContent.ts';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { logOf, opened, sessions } from './sessions.ts';

const header = { version: LOG_VERSION, id: 'x', agent: 'pi', created: 5 };
const first = `${JSON.stringify(header)}\n`;
const problem: NewEvent = { type: 'session/problem', data: { code: 'c', sentence: 'Ünfair.' } };
const [a, b, c] = logOf([opened, problem, problem]);

const line = (event: unknown): string => `${JSON.stringify(event)}\n`;

function torn(seq: number, bytes: number): LogEvent {
  return { type: 'log/torn', seq, time: 1, data: { bytes } };
}

function assertFault(reading: LogReading, index: number | undefined, reason: RegExp): void {
  assert.ok(reading.fault instanceof CorruptLogError);
  assert.equal(reading.fault.index, index);
  assert.match(reading.fault.reason, reason);
}

test('DESIGN The log: the first line is metadata, each line after it one event', () => {
  assert.deepEqual(readLogText(first + line(a) + line(b)), { header, events: [a, b], tornLines: 0 });
  assert.deepEqual(readLogText(first), { header, events: [], tornLines: 0 });
});

test('law: a log reads the same in whatever pieces it comes', () => {
  fc.assert(
    fc.property(sessions, fc.array(fc.nat(500)), (events, lengths) => {
      const text = first + events.map(line).join('');
      const whole = readLogText(text);
      assert.deepEqual(whole, { header, events, tornLines: 0 });
      const reader = new LogReader();
      let rest = text;
      for (const length of lengths) {
        reader.write(rest.slice(0, length));
        rest = rest.slice(length);
      }
      reader.write(rest);
      assert.deepEqual(reader.end(), whole);
    }),
    { numRuns: 200 },
  );
});

test('DESIGN The log: a torn last line is dropped and reported, wherever it was torn', () => {
  const text = line(b);
  for (let length = 1; length < text.length; length++) {
    const cut = text.slice(0, length);
    assert.deepEqual(readLogText(first + line(a) + cut), {
      header,
      events: [a],
      torn: { bytes: Buffer.byteLength(cut) },
      tornLines: 0,
    });
  }
});

test('a log goes on after a torn line: the line end and log/torn take it out, wherever it was torn', () => {
  const text = line(b);
  for (let length = 1; length < text.length; length++) {
    const cut = text.slice(0, length);
    const after = torn(1, Buffer.byteLength(cut));
    const moved = { ...c, seq: 2 };
    const reading = readLogText(`${first}${line(a)}${cut}\n${line(after)}${line(moved)}`);
    assert.deepEqual(reading, { header, events: [a, after, moved], tornLines: 1 });
  }
});

test('a writer may die again before its log/torn is whole: all that was torn is taken out', () => {
  const whole = line(b).trimEnd();
  for (const lines of [
    ['{"type"', '{"type":"log/to'],
    ['{"type"', ''],
    [whole, ''],
  ]) {
    const after = torn(1, Buffer.byteLength(lines[0] ?? ''));
    const reading = readLogText(`${first}${line(a)}${lines.join('\n')}\n${line(after)}`);
    assert.deepEqual(reading, { header, events: [a, after], tornLines: 2 });
  }
});

test('a whole event before log/torn stays: only a line of that very length counts for nothing', () => {
  const reading = readLogText(first + line(a) + line(b) + line(torn(2, 7)));
  assert.deepEqual(reading.events, [a, b, torn(2, 7)]);
  assertFault(readLogText(first + line(a) + line(b) + line(torn(1, 7))), 2, /seq is not its place/);
});

test('a torn line cannot hide that events are missing', () => {
  const reading = readLogText(`${first}${line(a)}garbage\n${line(torn(5, 7))}`);
  assertFault(reading, 1, /seq is not its place/);
  assert.deepEqual(reading.events, [a]);
});

test('a log/torn explains garbage right before it only: an event between them is not passed over', () => {
  const reading = readLogText(`${first}${line(a)}garbage\n${line(b)}${line(torn(1, 7))}`);
  assertFault(reading, 1, /no JSON/);
  assert.deepEqual(reading.events, [a]);
});

test('DESIGN The log: garbage in the middle is a named error, and the events before it are readable', () => {
  for (const garbage of [
    'garbage',
    '{"type":',
    '',
    '\u0000\u0000',
    '[1',
    'null',
    '[]',
    '5',
    '"text"',
    line(b).repeat(2).replace('\n', ''),
  ]) {
    for (const rest of ['', line(b), line(b) + line(c)]) {
      const reading = readLogText(`${first}${line(a)}${garbage}\n${rest}`);
      assertFault(reading, 1, /no JSON|no object/);
      assert.deepEqual(reading.events, [a]);
      assert.deepEqual(reading.header, header);
    }
  }
});

test('DESIGN The log: an unknown type is refused by its name unless it is ignorable', () => {
  const future = { ...b, type: 'future/thing' };
  assertFault(readLogText(first + line(a) + line(future) + line(c)), 1, /"future\/thing" is unknown/);
  const ignorable = { ...future, ignorable: true };
  assert.deepEqual(readLogText(first + line(a) + line(ignorable) + line(c)).events, [a, ignorable, c]);
});

test('DESIGN The log: a clock that goes back is no fault', () => {
  const back = { ...b, time: 0 };
  assert.deepEqual(readLogText(first + line(a) + line(back)).events, [a, back]);
});

test('a log whose first line cannot be used is read no further', () => {
  for (const [text, reason] of [
    ['', /it is not there/],
    [JSON.stringify(header), /it has no end/],
    ['\n', /it is no JSON/],
    [`garbage\n${line(a)}`, /it is no JSON/],
    [`\uFEFF${first}`, /it is no JSON/],
    [line(a) + line(b), /its version is not/],
    [line({ ...header, version: 7 }) + line(a), /the log is of version 7/],
  ] as const) {
    const reading = readLogText(text);
    assertFault(reading, undefined, reason);
    assert.equal(reading.header, undefined);
    assert.deepEqual(reading.events, []);
  }
});

test('a line longer than the bound is refused by that name, and nothing after it is kept', () => {
  const bound = 200;
  for (const pieces of [
    [`${'x'.repeat(bound + 1)}\n`],
    Array.from({ length: bound + 1 }, () => 'x'),
    ['x'.repeat(bound), 'x\n'],
  ]) {
    const reader = new LogReader(bound);
    for (const piece of [first, ...pieces, line(a)]) {
      reader.write(piece);
    }
    const reading = reader.end();
    assertFault(reading, 0, /its line is longer than 200 characters/);
    assert.deepEqual({ ...reading, fault: undefined }, { header, events: [], tornLines: 0, fault: undefined });
  }
  const reader = new LogReader(10);
  reader.write(first);
  assertFault(reader.end(), undefined, /longer than 10 characters/);
});

test('a line as long as the bound is read, and one character more is not', () => {
  const text = first + line(a);
  const longest = Math.max(...text.split('\n').map(({ length }) => length));
  for (const [bound, count] of [
    [longest, 1],
    [longest - 1, 0],
  ] as const) {
    const reader = new LogReader(bound);
    reader.write(text);
    assert.equal(reader.end().events.length, count);
  }
});

test('a line that is nested deeper than anything that writes JSON can follow is refused by that name', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  // The event and its data are two levels.
  const deep = (levels: number): string =>
    `{"type":"turn/end","seq":1,"time":1,"data":{"turn":1,"reason":${nested(levels - 2)}}}\n`;
  const reading = readLogText(first + line(a) + deep(1_100));
  assert.equal(reading.fault, undefined);
  for (const { type, data } of reading.events) {
    assert.ok(JSON.stringify(withoutContent({ type, data, seq: 0, time: 1 }, () => 'f'.repeat(64))));
  }
  for (const levels of [1_101, 200_000]) {
    const refused = readLogText(first + line(a) + deep(levels));
    assertFault(refused, 1, /^it is nested deeper than 1100 levels$/);
    assert.deepEqual(refused.events, [a]);
  }
  assertFault(readLogText(`${nested(200_000)}\n`), undefined, /nested deeper/);
});

test('law: reading throws nothing, whatever text a log has and however it was damaged', () => {
  const damaged = fc
    .tuple(
      sessions,
      fc.nat(),
      fc.nat(30),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', '{', '"', '}\n{')),
    )
    .map(([events, place, length, garbage]) => {
      const text = first + events.map(line).join('');
      const start = place % text.length;
      return text.slice(0, start) + garbage + text.slice(start + length);
    });
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string({ unit: 'binary' })), text => {
      const reading = readLogText(text);
      assert.ok(reading.fault === undefined || reading.fault instanceof CorruptLogError);
      assert.deepEqual(
        reading.events.map(({ seq }) => seq),
        reading.events.map((_, index) => index),
      );
      outcomes.add(reading.fault ? 'fault' : 'torn' in reading ? 'torn' : 'whole');
    }),
    { numRuns: 1500 },
  );
  assert.deepEqual([...outcomes].sort(), ['fault', 'torn', 'whole']);
});
