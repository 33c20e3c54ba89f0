import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Appended,
  appendedIn,
  appendedOf,
  type PlacedEntry,
  placeAppended,
} from '../../../protocol/request/appended.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import { answering, appended, calling, entry, textsOf, ViewLog } from './viewKit.ts';

const placed = (entries: readonly PlacedEntry[], ...list: readonly Appended[]): readonly string[] =>
  textsOf(placeAppended(entries, list).map(({ message }) => message));

const entries = (...values: readonly string[]): readonly PlacedEntry[] => values.map(value => entry(value));

/** The texts of a view after a log that showed earlier ones. */
function after(views: readonly (readonly PlacedEntry[])[], now: readonly PlacedEntry[], ...list: readonly Appended[]) {
  const log = new ViewLog();
  for (const view of views) {
    log.show(view);
  }
  return textsOf(placeAppended(now, list, log.history.order).map(({ message }) => message));
}

test('DESIGN flow 2: an appended message is put back after the unit that it follows, in every later view', () => {
  assert.deepEqual(placed(entries('a', 'b', 'c'), appended('x', 'b')), ['a', 'b', 'x', 'c']);
  assert.deepEqual(placed(entries('a', 'b', 'c'), appended('x', 'c')), ['a', 'b', 'c', 'x']);
  assert.deepEqual(placed(entries('a'), appended('x', '')), ['x', 'a']);
  assert.deepEqual(placed([], appended('x', '')), ['x']);
});

test('DESIGN flow 2: messages that follow the same unit stand in the order in which they were appended', () => {
  const list = [appended('x', 'a'), appended('y', 'a'), appended('z', 'x')];
  assert.deepEqual(placed(entries('a', 'b'), ...list), ['a', 'x', 'y', 'z', 'b']);
});

test('DESIGN flow 2: a message may follow another appended one, also where the unit of that one is gone', () => {
  const list = [appended('x', 'b'), appended('y', 'x')];
  assert.deepEqual(after([entries('a', 'b', 'c')], entries('a', 'c'), ...list), ['a', 'x', 'y', 'c']);
});

test('DESIGN flow 2: a unit is one of several of its message: the appended message stands after the whole message', () => {
  const two = entry('results', { keys: ['r1', 'r2'] });
  assert.deepEqual(placed([entry('a'), two, entry('b')], appended('x', 'r1')), ['a', 'results', 'x', 'b']);
});

test('DESIGN flow 2: when its unit is gone, it stands after the nearest earlier one that is left', () => {
  const views = [entries('a', 'b', 'c', 'd')];
  assert.deepEqual(after(views, entries('a', 'd'), appended('x', 'c')), ['a', 'x', 'd']);
  assert.deepEqual(after(views, entries('a', 'b'), appended('x', 'd')), ['a', 'b', 'x']);
  assert.deepEqual(after(views, entries('a', 'b', 'c', 'd'), appended('x', 'c')), ['a', 'b', 'c', 'x', 'd']);
});

test('DESIGN flow 2: when no earlier unit is left, it stands first', () => {
  const views = [entries('a', 'b', 'c')];
  assert.deepEqual(after(views, entries('S', 'c'), appended('x', 'b')), ['x', 'S', 'c']);
  assert.deepEqual(after([], entries('a'), appended('x', 'never seen')), ['x', 'a']);
});

test('users-ask 18: the order of units is known through host compaction, rewind and what came in between', () => {
  const views = [entries('a', 'b', 'c'), entries('S', 'c'), entries('S', 'c', 'd', 'e'), entries('S', 'e', 'f')];
  assert.deepEqual(after(views, entries('S', 'f'), appended('x', 'd')), ['S', 'x', 'f']);
  assert.deepEqual(after(views, entries('S', 'c', 'f'), appended('x', 'd')), ['S', 'c', 'x', 'f']);
  assert.deepEqual(after(views, entries('S', 'b', 'f'), appended('x', 'b')), ['S', 'b', 'x', 'f']);
});

test('DESIGN flow 2: what followed a summary that is gone stands where the summary stood', () => {
  const views = [entries('a', 'b', 'c', 'd'), entries('a', 'S', 'd')];
  assert.deepEqual(after(views, entries('a', 'd'), appended('x', 'S')), ['a', 'x', 'd']);
  const rewritten = [...views, entries('a', 'T', 'd'), entries('a', 'd')];
  assert.deepEqual(after(rewritten, entries('a', 'd'), appended('x', 'T')), ['a', 'x', 'd']);
});

test('DESIGN flow 2: of several whose units are gone, the one that stood further ahead stands further ahead', () => {
  const views = [entries('a', 'b', 'c', 'd')];
  const list = [appended('late', 'c'), appended('early', 'b'), appended('first', 'a')];
  assert.deepEqual(after(views, entries('a', 'd'), ...list), ['a', 'first', 'early', 'late', 'd']);
});

test('DESIGN flow 2: a history that is gone is walked once for all the messages that followed its units', () => {
  const names = Array.from({ length: 300 }, (_, index) => `u${index}`);
  const log = new ViewLog();
  log.show(entries('a', ...names, 'z'));
  let asked = 0;
  const order = {
    before: (unit: string) => {
      asked++;
      return log.history.order.before(unit);
    },
  };
  const list = names.toReversed().map(name => appended(`after ${name}`, name));
  const placedEntries = placeAppended(entries('a', 'z'), list, order);
  assert.deepEqual(textsOf(placedEntries.map(({ message }) => message)), [
    'a',
    ...names.map(name => `after ${name}`),
    'z',
  ]);
  assert.ok(asked <= 2 * names.length, `${asked} steps`);
});

test('DESIGN flow 2: an order that goes in a circle, as a damaged log may tell it, is left where it begins again', () => {
  const order = { before: (unit: string) => (unit === 'p' ? 'q' : 'p') };
  const placedEntries = placeAppended(entries('a'), [appended('x', 'p')], order);
  assert.deepEqual(textsOf(placedEntries.map(({ message }) => message)), ['x', 'a']);
});

test('DESIGN flow 2: an appended message never stands between a tool call and its result', () => {
  const view = [entry('u'), calling('call', '1', '2'), answering('r1', '1'), answering('r2', '2'), entry('b')];
  for (const unit of ['call', 'r1', 'r2']) {
    assert.deepEqual(placed(view, appended('x', unit)), ['u', 'call', 'r1', 'r2', 'x', 'b'], unit);
  }
  assert.deepEqual(placed(view, appended('x', 'u')), ['u', 'x', 'call', 'r1', 'r2', 'b']);
  const list = [appended('later', 'r1'), appended('earlier', 'call')];
  assert.deepEqual(placed(view, ...list), ['u', 'call', 'r1', 'r2', 'earlier', 'later', 'b']);
});

test('request-log 10: extra context of a tool stands after all results of its round, and before the next call', () => {
  const view = [calling('c1', '1'), answering('r1', '1'), calling('c2', '2'), answering('r2', '2')];
  assert.deepEqual(placed(view, appended('x', 'r1')), ['c1', 'r1', 'x', 'c2', 'r2']);
  const answeredAtOnce = [entry('search', { calls: ['1'], answers: ['1'] }), entry('b')];
  assert.deepEqual(placed(answeredAtOnce, appended('x', 'search')), ['search', 'x', 'b']);
});

test('request-log 2.6: context of a tool follows all results of the step in the next view, context of a prompt the prompt', () => {
  const log = new ViewLog();
  log.show(entries('u'));
  const { after: _, ...context } = { ...appended('x', ''), channel: 'tool-context', source: 'linter' } as const;
  const first = [entry('u'), calling('c', '1', '2'), answering('r1', '1'), answering('r2', '2')];
  const view = placeAppended(first, [context], log.history.order);
  const edits = log.show(view);
  assert.deepEqual(
    edits.map(({ surfaceOp, data }) => [surfaceOp, data.units, data.after]),
    [
      ['append', ['c'], undefined],
      ['append', ['r1'], undefined],
      ['append', ['r2'], undefined],
      ['append', ['x'], 'r2'],
    ],
  );
  const kept = appendedIn(view);
  assert.deepEqual(kept, [{ ...context, after: 'r2' }]);
  const next = placeAppended([...first, entry('b')], kept, log.history.order);
  assert.deepEqual(textsOf(next.map(({ message }) => message)), ['u', 'c', 'r1', 'r2', 'x', 'b']);
  assert.deepEqual(appendedIn(placeAppended([], [context])), [{ ...context, after: '' }]);
});

test('DESIGN flow 2: a call that never got its result does not hold up what is appended', () => {
  assert.deepEqual(placed([calling('c', '1'), entry('b')], appended('x', 'c')), ['c', 'x', 'b']);
});

test('DESIGN flow 2: without appended messages the view is that of the host, the same list', () => {
  const view = entries('a');
  assert.equal(placeAppended(view, []), view);
});

test('request-log 10: what was appended is known again from the log of an earlier instance', () => {
  const note: Appended = { ...appended('note', 'a'), channel: 'inject', source: 'watcher' };
  const log = new ViewLog();
  log.show(entries('a'));
  log.show(placeAppended(entries('a'), [note]));
  log.show(placeAppended(entries('a', 'b'), [note]));
  log.show(placeAppended(entries('z', 'a', 'b'), [note]));
  const resumed = new ViewLog();
  for (const event of JSON.parse(JSON.stringify(log.events)) as readonly LogEvent[]) {
    resumed.append(event);
  }
  const again = appendedOf(resumed.history.surface);
  assert.deepEqual(again, [note]);
  assert.deepEqual(resumed.show(placeAppended(entries('z', 'a', 'b'), again, resumed.history.order)), []);
});

test('request-log 10: an injection is in the log at once, and the next view finds it where it stands', () => {
  const log = new ViewLog();
  log.show(entries('a'));
  const note = appended('note', log.history.lastUnit);
  assert.deepEqual(
    log.show(placeAppended(entries('a'), [note])).map(({ surfaceOp, data }) => [surfaceOp, data.after]),
    [['append', 'a']],
  );
  const next = placeAppended(entries('a', 'b', 'c'), [note], log.history.order);
  assert.deepEqual(
    log.show(next).map(({ surfaceOp, data }) => [surfaceOp, data.units]),
    [
      ['append', ['b']],
      ['append', ['c']],
    ],
  );
  assert.equal(log.history.lastUnit, 'c');
});

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const views = fc.array(fc.shuffledSubarray(names), { minLength: 1, maxLength: 5 });

test('law: DESIGN flow 2: host messages keep their order, each appended one is there once, and no pair is parted', () => {
  const rounds = fc.array(fc.nat(3), { maxLength: 5 });
  fc.assert(
    fc.property(rounds, fc.array(fc.nat(40), { maxLength: 5 }), (results, anchors) => {
      const view = results.flatMap((count, round) => [
        entry(`u${round}`),
        calling(`c${round}`, ...Array.from({ length: count }, (_, call) => `${round}.${call}`)),
        ...Array.from({ length: count }, (_, call) => answering(`r${round}.${call}`, `${round}.${call}`)),
      ]);
      const list = anchors.map((at, index) => appended(`x${index}`, view[at]?.keys[0] ?? ''));
      const all = placeAppended(view, list);
      assert.deepEqual(
        all.filter(one => !one.appended),
        view,
      );
      assert.deepEqual(all.flatMap(one => one.appended?.key ?? []).sort(), list.map(({ key }) => key).sort());
      assert.equal(pairingFault(all), undefined);
      const open = new Set<string>();
      for (const one of all) {
        assert.ok(!one.appended || open.size === 0);
        one.calls.forEach(call => open.add(call));
        one.answers.forEach(call => open.delete(call));
      }
    }),
    { numRuns: 500 },
  );
});

test('law: DESIGN flow 2: whatever the host did to its history, a message stands after its unit while that is there', () => {
  fc.assert(
    fc.property(views, fc.constantFrom(...names), (history, unit) => {
      const last = history.at(-1) ?? [];
      const texts = after(
        history.slice(0, -1).map(view => entries(...view)),
        entries(...last),
        appended('x', unit),
      );
      const at = last.indexOf(unit);
      if (at >= 0) {
        assert.deepEqual(texts, last.toSpliced(at + 1, 0, 'x'));
      } else {
        assert.deepEqual(
          texts.filter(one => one !== 'x'),
          last,
        );
      }
    }),
    { numRuns: 500 },
  );
});
