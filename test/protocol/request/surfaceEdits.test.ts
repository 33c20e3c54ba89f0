import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlacedEntry } from '../../../protocol/request/appended.ts';
import { deriveMessages } from '../../../protocol/request/deriveMessages.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import type { HostMessageEvent } from '../../../protocol/request/surfaceSlot.ts';
import { appended, entry, message, textsOf, ViewLog } from './viewKit.ts';

const entries = (...values: readonly string[]): readonly PlacedEntry[] => values.map(value => entry(value));

/** A log that shows these texts, and the short form of the events that bring it to the others. */
function change(before: readonly PlacedEntry[], after: readonly PlacedEntry[]): readonly string[] {
  const log = new ViewLog();
  log.show(before);
  const edits = log.show(after);
  assert.deepEqual(
    deriveMessages(log.events),
    after.map(one => one.message),
  );
  return edits.map(brief);
}

/** `x@1-2 tombstone`: x in the place of the events 1 to 2; `x` is appended, `-@1` takes event 1 away. */
function brief({ data, surfaceOp }: HostMessageEvent): string {
  const shown = data.message ? textsOf([data.message])[0] : '-';
  const place = typeof surfaceOp === 'object' ? `@${surfaceOp.start}${rangeEnd(surfaceOp.start, surfaceOp.end)}` : '';
  return `${shown}${place}${data.cause ? ` ${data.cause}` : ''}`;
}

function rangeEnd(start: number, end: number): string {
  return start === end ? '' : `-${end}`;
}

const CHANGES: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  ['nothing new is no event', ['a', 'b'], ['a', 'b'], []],
  ['what is new at the end is appended', ['a'], ['a', 'b', 'c'], ['b', 'c']],
  ['a first view is appended', [], ['a', 'b'], ['a', 'b']],
  ['a summary takes the place of a range', ['a', 'b', 'c', 'd'], ['S', 'd'], ['S@0-2 host-rewrite']],
  [
    'a summary of two messages takes it too, and what is new is appended',
    ['a', 'b', 'c', 'd'],
    ['S', 'T', 'd', 'e'],
    ['S@0-1 host-rewrite', 'T@2 host-rewrite', 'e'],
  ],
  ['a rewind takes the end away', ['a', 'b', 'c'], ['a'], ['-@1-2 host-rewrite']],
  ['an empty view takes all away', ['a', 'b'], [], ['-@0-1 host-rewrite']],
  ['a rewind that goes on another way', ['a', 'b', 'c'], ['a', 'x'], ['x@1-2 host-rewrite']],
  ['a rewind that goes on further than before', ['a', 'b'], ['a', 'x', 'y', 'z'], ['x@1 host-rewrite', 'y', 'z']],
  ['a gap in the middle', ['a', 'b', 'c', 'd'], ['a', 'd'], ['-@1-2 host-rewrite']],
  ['two gaps in the middle', ['a', 'b', 'c', 'd', 'e'], ['a', 'c', 'e'], ['-@1 host-rewrite', '-@3 host-rewrite']],
  [
    'a message put in moves all behind it to the end',
    ['a', 'b', 'c'],
    ['a', 'x', 'b', 'c'],
    ['x@1 host-rewrite', 'b@2 moved', 'c moved'],
  ],
  [
    'a message put in moves others only as far as a free place',
    ['a', 'b', 'c', 'd', 'e'],
    ['x', 'a', 'b', 'd', 'e', 'f'],
    ['x@0 host-rewrite', 'a@1 moved', 'b@2 moved', 'f'],
  ],
  ['a message that goes to the end', ['a', 'b', 'c'], ['a', 'c', 'b'], ['-@1 host-rewrite', 'b moved']],
  ['a message that comes twice', ['a', 'b'], ['a', 'b', 'a'], ['a']],
  ['the same message twice, once taken away', ['a', 'b', 'a', 'c'], ['a', 'b', 'c'], ['-@2 host-rewrite']],
];

for (const [what, before, after, expected] of CHANGES) {
  test(`request-log 2.4: the surface follows the view: ${what}`, () => {
    assert.deepEqual(change(entries(...before), entries(...after)), expected);
  });
}

test('request-log 2.4: a tombstone replaces the event of its unit, wherever it stands, and nothing else', () => {
  const tombstone = entry('[EPHEMERAL]', { keys: ['b'], changed: true });
  assert.deepEqual(change(entries('a', 'b', 'c', 'd'), [...entries('a'), tombstone, ...entries('c', 'd', 'e')]), [
    '[EPHEMERAL]@1 tombstone',
    'e',
  ]);
});

test('users-ask 35: the same text in another JSON shape is a rewrite of the same unit', () => {
  const asText = entry('b', { message: { role: 'user', content: 'b' } });
  const log = new ViewLog();
  log.show(entries('a', 'b', 'c'));
  const [edit, ...others] = log.show([entry('a'), asText, entry('c')]);
  assert.deepEqual(others, []);
  assert.deepEqual(edit, {
    type: 'host/message',
    data: { message: asText.message, units: ['b'], cause: 'host-rewrite' },
    surfaceOp: { op: 'replace', start: 1, end: 1 },
    sourceEventSeqs: [1],
  });
});

test('request-log 2.4: a place that was taken away is used again for what is put in there', () => {
  const log = new ViewLog();
  log.show(entries('a', 'b', 'c'));
  log.show(entries('a', 'c'));
  assert.deepEqual(log.show(entries('a', 'x', 'c')).map(brief), ['x@3 host-rewrite']);
  assert.deepEqual(textsOf(deriveMessages(log.events)), ['a', 'x', 'c']);
});

test('request-log 2.4: places that were taken away do not stand in the way of appending', () => {
  const log = new ViewLog();
  log.show(entries('a', 'b', 'c'));
  log.show(entries('a'));
  assert.deepEqual(log.show(entries('a', 'd', 'e')).map(brief), ['d', 'e']);
  assert.deepEqual(log.show(entries('a', 'd', 'e')), []);
});

test('request-log 2.4: an event that shows nothing may stand anywhere on the surface', () => {
  const log = new ViewLog();
  log.append({ type: 'assistant/message', data: { content: [] }, surfaceOp: 'append' });
  log.show(entries('a', 'b'));
  assert.deepEqual(log.show(entries('a', 'b')), []);
  assert.deepEqual(log.show(entries('a', 'b', 'c')).map(brief), ['c']);
});

test('request-log 2.3: a null message shows nothing, and names what it takes away', () => {
  const log = new ViewLog();
  log.show(entries('a', 'b', 'c', 'd'));
  assert.deepEqual(log.show(entries('a', 'd')), [
    {
      type: 'host/message',
      data: { message: null, units: [], cause: 'host-rewrite' },
      surfaceOp: { op: 'replace', start: 1, end: 2 },
      sourceEventSeqs: [1, 2],
    },
  ]);
  assert.deepEqual(textsOf(deriveMessages(log.events)), ['a', 'd']);
});

test('DESIGN flow 2: an appended message keeps what it follows, its channel and its source wherever it moves', () => {
  const appended = {
    message: message('note'),
    key: 'n',
    after: 'a',
    channel: 'tool-context',
    source: 'linter',
  } as const;
  const note = entry('note', { keys: ['n'], appended });
  const log = new ViewLog();
  log.show([entry('a'), note, entry('b')]);
  const { data } = log.show([entry('x'), entry('a'), note, entry('b')])[2] as HostMessageEvent;
  assert.deepEqual(data, {
    message: message('note'),
    units: ['n'],
    cause: 'moved',
    after: 'a',
    channel: 'tool-context',
    source: 'linter',
  });
});

test('DESIGN flow 2: an answer that consumes nothing is logged as such', () => {
  const log = new ViewLog();
  const [edit] = log.show([entry('a', { failed: true })]);
  assert.equal(edit?.data.failed, true);
});

test('request-log 2.4: a resumed session whose host hands over equal messages needs no event', () => {
  const log = new ViewLog();
  log.show(entries('a', 'b', 'c'));
  const read = JSON.parse(JSON.stringify(log.events)) as readonly LogEvent[];
  const resumed = new ViewLog();
  for (const event of read) {
    resumed.append(event);
  }
  assert.deepEqual(resumed.show(entries('a', 'b', 'c')), []);
});

test('DESIGN speed: of 10,000 messages only what changed, and the end, is read to bring the surface to the view', () => {
  const read = new Set<string>();
  const counted = (value: string): PlacedEntry => {
    const content = Object.defineProperty({ role: 'user' }, 'content', {
      enumerable: true,
      get() {
        read.add(value);
        return value;
      },
    });
    return entry(value, { message: Object.freeze(content) as never });
  };
  const view = Array.from({ length: 10_000 }, (_, index) => counted(`m${index}`));
  const log = new ViewLog();
  log.show(view);
  assert.deepEqual(log.show(view), []);
  read.clear();
  const tombstone = entry('t', { keys: ['m5000'], changed: true });
  const next = [...view.with(5000, tombstone), entry('x')];
  assert.deepEqual(log.show(next).map(brief), ['t@5000 tombstone', 'x']);
  assert.deepEqual(
    [...read],
    ['m5000', 'm9999'],
    'the last one is compared with the new one, in case the end is the same',
  );
});

/** What a host, or V1, may do to a view from one request to the next. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('append' as const), count: fc.nat(3) }),
    fc.record({ kind: fc.constant('tombstone' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('compact' as const), at: fc.nat(), length: fc.nat(6), into: fc.nat(2) }),
    fc.record({ kind: fc.constant('rewind' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(), to: fc.nat() }),
    fc.record({ kind: fc.constant('repeat' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('copies' as const) }),
    fc.record({ kind: fc.constant('empty' as const) }),
  ),
  { maxLength: 5 },
);

type Step =
  Extract<typeof steps, fc.Arbitrary<readonly unknown[]>> extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

class Host {
  #made = 0;

  fresh(count: number): readonly PlacedEntry[] {
    return Array.from({ length: count }, () => entry(`m${this.#made++}`));
  }

  next(view: readonly PlacedEntry[], step: Step): readonly PlacedEntry[] {
    const at = 'at' in step && view.length > 0 ? step.at % view.length : 0;
    const held = view[at];
    switch (step.kind) {
      case 'append':
        return [...view, ...this.fresh(step.count)];
      case 'tombstone':
        return held ? view.with(at, { ...held, message: message(`T${held.keys[0]}`), changed: true }) : view;
      case 'compact':
        return view.toSpliced(at, step.length, ...this.fresh(step.into));
      case 'rewind':
        return view.slice(0, at);
      case 'insert':
        return view.toSpliced(at, 0, ...this.fresh(1));
      case 'move':
        return held ? view.toSpliced(at, 1).toSpliced(step.to % view.length, 0, held) : view;
      case 'repeat':
        return held ? [...view, held] : view;
      case 'copies':
        return view.map(one => ({ ...one, message: structuredClone(one.message) }));
      case 'empty':
        return [];
    }
  }
}

const requests = fc.array(steps, { minLength: 1, maxLength: 8 });

test('law: request-log 2.4: after its events the log derives exactly the messages of the view, whatever the host did', () => {
  fc.assert(
    fc.property(requests, plan => {
      const host = new Host();
      const log = new ViewLog();
      let view = host.fresh(6);
      for (const request of [[], ...plan]) {
        view = request.reduce((before, step) => host.next(before, step), view);
        const onSurface = new Set(log.history.surface.map(({ seq }) => seq));
        const before = log.history.surface.map(({ seq }) => seq);
        const edits = log.show(view);
        assert.deepEqual(
          deriveMessages(log.events),
          view.map(one => one.message),
        );
        assert.deepEqual(log.show(view), [], 'nothing is left to do');
        assert.ok(edits.length <= view.length + 1 + before.length, 'no more events than messages');
        for (const { surfaceOp, sourceEventSeqs = [] } of edits) {
          if (surfaceOp !== 'append' && surfaceOp) {
            const [start, end] = [before.indexOf(surfaceOp.start), before.indexOf(surfaceOp.end)];
            assert.deepEqual(sourceEventSeqs, before.slice(start, end + 1), 'all that is replaced is named');
            assert.ok(
              sourceEventSeqs.every(seq => onSurface.delete(seq)),
              'each once',
            );
          }
        }
      }
      const read = JSON.parse(JSON.stringify(log.events)) as readonly LogEvent[];
      assert.deepEqual(
        deriveMessages(read),
        view.map(one => one.message),
      );
    }),
    { numRuns: 1500 },
  );
});

test('law: request-log 10: a view that extends the one before it is written with appends only, one a message', () => {
  fc.assert(
    fc.property(requests, fc.nat(5), (plan, count) => {
      const host = new Host();
      const log = new ViewLog();
      let view = host.fresh(3);
      for (const request of plan) {
        view = request.reduce((before, step) => host.next(before, step), view);
        log.show(view);
        view = [...view, ...host.fresh(count)];
        const edits = log.show(view);
        assert.deepEqual(
          edits.map(({ surfaceOp }) => surfaceOp),
          edits.map(() => 'append'),
        );
        assert.equal(edits.length, count);
      }
    }),
    { numRuns: 300 },
  );
});

test('DESIGN, The log: a new message at the place of an injected one that moves behind it is no rewrite of the host', () => {
  const log = new ViewLog();
  const note = entry('note', { appended: appended('note', 'a') });
  log.show([entry('a'), note]);
  const edits = log.show([entry('a'), entry('answer'), note]);
  assert.deepEqual(
    edits.map(({ data }) => [data.units[0], data.cause]),
    [
      ['answer', undefined],
      ['note', 'moved'],
    ],
  );
});
