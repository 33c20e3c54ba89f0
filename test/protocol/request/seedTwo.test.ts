import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveMessages } from '../../../protocol/request/deriveMessages.ts';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import { canonicalHeader } from '../../../protocol/request/header.ts';
import { applyHeaderDelta, diffHeader } from '../../../protocol/request/headerDelta.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { rebuildRequest } from '../../../protocol/request/rebuildRequest.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { PrefixInterruptedError } from '../../../protocol/request/sessionPrefix.ts';
import { Instance } from './instanceKit.ts';
import { assertCorrupt, delta, fold, snapshot } from './logKit.ts';
import { isDeepFrozen } from './vectorFile.ts';
import { entry, message, textsOf } from './viewKit.ts';

const view = (...values: readonly string[]) => values.map(value => entry(value));
const opener = () => [message('opener')];
const dig = { name: 'dig', description: 'd', parameters: {} };
const rake = { name: 'rake', description: 'r', parameters: {} };

/** Every request of an instance, from nothing but its log as it is read from disk. */
function assertRebuilds({ events, sent }: Instance): void {
  const read = JSON.parse(JSON.stringify(events)) as readonly LogEvent[];
  const history = new RequestHistory();
  for (const event of read) {
    history.append(event);
  }
  for (const { requestSequence, stepStart, hash, ...request } of sent) {
    const text = history.sealedText(requestSequence) ?? '';
    assert.equal(text, JSON.stringify(request));
    assert.equal(createHash('sha256').update(text).digest('hex'), hash);
    const { config, ...others } = request;
    assert.equal(JSON.stringify(rebuildRequest(read, stepStart)), JSON.stringify({ ...config, ...others }));
  }
}

test('seed 2: three requests over two turns: one composition, one header event, the prefix first in each', async () => {
  let composed = 0;
  const instance = new Instance([() => [message(`opener ${++composed}`)]]);
  await instance.request({ entries: view('a'), userUnit: true });
  instance.answered(true);
  await instance.request({ entries: view('a', 'b'), answerCalled: true });
  instance.answered(false);
  await instance.request({ entries: view('a', 'b', 'c'), userUnit: true });
  assert.equal(composed, 1);
  assert.deepEqual(instance.headerEvents, ['initial']);
  assert.deepEqual(
    instance.sent.map(({ messages }) => textsOf(messages)),
    [
      ['opener 1', 'a'],
      ['opener 1', 'a', 'b'],
      ['opener 1', 'a', 'b', 'c'],
    ],
  );
  assertRebuilds(instance);
});

test('seed 2: the prefix is recorded as messagePrefix of the anchoring snapshot', async () => {
  const instance = new Instance([opener]);
  await instance.request({ entries: view('a'), userUnit: true });
  const anchor = instance.events.find(({ type }) => type === 'request/header');
  assert.deepEqual(anchor?.data, {
    header: { config: { model: 'm' }, messagePrefix: [message('opener')] },
    reason: 'initial',
  });
});

test('seed 2: contributions never enter the history: the header is their only record', async () => {
  const instance = new Instance([opener]);
  const { messages } = await instance.request({ entries: view('a'), userUnit: true });
  assert.deepEqual(textsOf(messages), ['opener', 'a']);
  assert.deepEqual(textsOf(deriveMessages(instance.events)), ['a']);
  await instance.request({ entries: [], userUnit: true });
  assert.deepEqual(textsOf(instance.sent[1]?.messages ?? []), ['opener'], 'no compaction reaches it');
});

test('seed 2: a resume recomposes, logs resume even if nothing changed, and an equal prefix gives equal bytes', async () => {
  const first = new Instance([opener]);
  await first.request({ entries: view('a'), userUnit: true });
  first.answered(false);
  const resumed = new Instance([opener], first.events);
  const again = await resumed.request({ entries: view('a'), userUnit: true });
  assert.deepEqual(resumed.headerEvents, ['initial', 'resume']);
  assert.equal(again.hash, first.sent[0]?.hash);
  assert.equal(again.requestSequence, 2);
});

test('seed 2: a resumed instance whose prefix drifted shows it as the difference of two snapshots', async () => {
  const first = new Instance([opener]);
  await first.request({ entries: view('a'), userUnit: true });
  const resumed = new Instance([() => [message('another opener')]], first.events);
  await resumed.request({ entries: view('a'), userUnit: true });
  const snapshots = resumed.events.filter(({ type }) => type === 'request/header');
  const [before, after] = snapshots.map(event => foldRequestHeader([event]));
  assert.ok(before && after);
  assert.deepEqual(diffHeader(before, after), { messagePrefix: [message('another opener')] });
  assertRebuilds(resumed);
});

test('seed 2: an interrupted composition opens no step, writes no header and sends nothing', async () => {
  const controller = new AbortController();
  let asked = 0;
  const instance = new Instance([
    () => {
      if (++asked === 1) {
        controller.abort('escape');
      }
      return [message(`opener ${asked}`)];
    },
  ]);
  const { signal } = controller;
  await assert.rejects(instance.request({ entries: view('a'), userUnit: true, signal }), PrefixInterruptedError);
  assert.deepEqual(instance.events, []);
  const sent = await instance.request({ entries: view('a'), userUnit: true });
  assert.deepEqual(textsOf(sent.messages), ['opener 2', 'a']);
  assert.deepEqual(foldRequestHeader(instance.events)?.messagePrefix, [message('opener 2')]);
});

test('seed 2: the request is messagePrefix and the boundary snapshot: what arrives meanwhile is in the next one', async () => {
  const instance = new Instance([opener]);
  const meanwhile = () => instance.inject('late');
  const first = await instance.request({ entries: view('a'), userUnit: true, meanwhile });
  assert.deepEqual(textsOf(first.messages), ['opener', 'a']);
  const second = await instance.request({ entries: view('a', 'b'), answerCalled: true });
  assert.deepEqual(textsOf(second.messages), ['opener', 'a', 'late', 'b']);
  assertRebuilds(instance);
});

test('seed 2: an update on the way is append-only history: paid once, and each request extends the one before', async () => {
  const instance = new Instance([opener]);
  await instance.request({ entries: view('a'), userUnit: true });
  instance.answered(true);
  instance.inject('AGENTS.md was found');
  await instance.request({ entries: view('a', 'b', 'c'), answerCalled: true });
  instance.answered(false);
  instance.inject('while nothing runs');
  await instance.request({ entries: view('a', 'b', 'c', 'd'), userUnit: true });
  const texts = instance.sent.map(({ messages }) => textsOf(messages));
  assert.deepEqual(texts[2], ['opener', 'a', 'AGENTS.md was found', 'b', 'c', 'while nothing runs', 'd']);
  for (const [index, request] of texts.slice(1).entries()) {
    assert.deepEqual(request.slice(0, texts[index]?.length), texts[index]);
  }
  assert.deepEqual(instance.headerEvents, ['initial']);
  assert.deepEqual(
    instance.events.filter(({ surfaceOp }) => surfaceOp && surfaceOp !== 'append'),
    [],
  );
  assertRebuilds(instance);
});

test('request-log 12.42: what was injected survives a resume, at its place', async () => {
  const first = new Instance();
  await first.request({ entries: view('a'), userUnit: true });
  first.answered(false);
  first.inject('note');
  const resumed = new Instance([], first.events);
  const { messages } = await resumed.request({ entries: view('a', 'b'), userUnit: true });
  assert.deepEqual(textsOf(messages), ['a', 'note', 'b']);
  assertRebuilds(resumed);
});

test('seed 2: there is no suffix: a snapshot with one drops it, a delta with one is refused', () => {
  const suffixed = { config: { model: 'm' }, messageSuffix: [message('tail')] };
  assert.deepEqual(canonicalHeader(suffixed), { config: { model: 'm' } });
  assert.deepEqual(fold(snapshot(suffixed)), { config: { model: 'm' } });
  assertCorrupt(() => fold(snapshot(suffixed), delta({ messageSuffix: [] })), 1, /unknown member "messageSuffix"/);
});

test('seed 2: the prefix arm of a delta replaces it whole, and an empty list is the way back to absence', () => {
  const opened = { config: { model: 'm' }, messagePrefix: opener() };
  assert.deepEqual(applyHeaderDelta(opened, { messagePrefix: [] }), { config: { model: 'm' } });
  assert.deepEqual(applyHeaderDelta({ config: { model: 'm' } }, { messagePrefix: opener() }), opened);
});

test("seed 2: every request's system, tools and config are in the log: a snapshot at birth, deltas on the way", async () => {
  const instance = new Instance();
  const header = { config: { model: 'm' }, system: 'one\ntwo', tools: [dig, rake] };
  const entries = view('a');
  await instance.request({ entries, header, userUnit: true });
  await instance.request({ entries, header: structuredClone(header), answerCalled: true });
  assert.deepEqual(instance.headerEvents, ['initial'], 'the same values rendered anew are no change');
  await instance.request({ entries, header: { ...header, system: 'one\n2' }, answerCalled: true });
  await instance.request({ entries, header: { ...header, config: { model: 'n' } }, answerCalled: true });
  assert.deepEqual(instance.headerEvents, ['initial', 'delta', 'delta']);
  assert.deepEqual(instance.events.find(({ type }) => type === 'request/header-delta')?.data, {
    system: { keepStart: 1, keepEnd: 0, insert: ['2'] },
  });
  assertRebuilds(instance);
});

test('seed 2: a delta that cannot say the change is a fallback snapshot, so a well-formed log always folds', async () => {
  const instance = new Instance();
  const entries = view('a');
  await instance.request({ entries, header: { tools: [dig, rake] }, userUnit: true });
  await instance.request({ entries, header: { tools: [rake, dig] }, answerCalled: true });
  assert.deepEqual(instance.headerEvents, ['initial', 'fallback']);
  assert.deepEqual(foldRequestHeader(instance.events)?.tools, [rake, dig]);
  assertRebuilds(instance);
});

test('seed 2: empty system and empty tools are absent in the header and in the sealed text', async () => {
  const instance = new Instance();
  await instance.request({ entries: view('a'), header: { system: '', tools: [] }, userUnit: true });
  assert.deepEqual(foldRequestHeader(instance.events), { config: { model: 'm' } });
  const { requestSequence, hash } = instance.sent[0] ?? { requestSequence: 0, hash: '' };
  const text = instance.history.sealedText(requestSequence) ?? '';
  assert.equal(text, `{"config":{"model":"m"},"messages":[${JSON.stringify(message('a'))}]}`);
  assert.equal(createHash('sha256').update(text).digest('hex'), hash);
});

test('request-log 3.2: a config in another order is no change, so the request is sealed with the one that was logged', async () => {
  const instance = new Instance();
  await instance.request({ entries: view('a'), header: { config: { model: 'm', seed: 1 } }, userUnit: true });
  const { config } = await instance.request({ entries: view('a'), header: { config: { seed: 1, model: 'm' } } });
  assert.deepEqual(Object.keys(config), ['model', 'seed']);
  assert.deepEqual(instance.headerEvents, ['initial']);
  assertRebuilds(instance);
});

test('request-log 12.18: a compaction changes the next request and writes no header event', async () => {
  const instance = new Instance([opener]);
  await instance.request({ entries: view('a', 'b', 'c'), userUnit: true });
  const { messages } = await instance.request({ entries: view('S', 'c', 'd'), userUnit: true });
  assert.deepEqual(textsOf(messages), ['opener', 'S', 'c', 'd']);
  assert.deepEqual(instance.headerEvents, ['initial']);
  assertRebuilds(instance);
});

test('request-log 12.16: requests and their messages are frozen, and unchanged messages are the same objects', async () => {
  const instance = new Instance([opener]);
  const entries = view('a', 'b');
  const first = await instance.request({ entries, userUnit: true });
  const second = await instance.request({ entries: [...entries, entry('c')], answerCalled: true });
  assert.ok(isDeepFrozen(second.messages));
  first.messages.forEach((held, index) => assert.equal(second.messages[index], held));
  const rebuilt = instance.history.rebuild(2);
  assert.ok(isDeepFrozen(rebuilt));
  assert.equal(rebuilt?.messages[1], second.messages[1], 'the log in memory holds that very object');
});

test('request-log 12.20: a request that was given cannot be changed', async () => {
  const instance = new Instance([opener]);
  const { messages } = await instance.request({ entries: view('a'), userUnit: true });
  assert.throws(() => (messages as unknown[]).push(message('x')), TypeError);
  assert.throws(() => Object.assign(messages[0] ?? {}, { role: 'assistant' }), TypeError);
});

test("seed 2: the blocks' message comes and goes by header deltas, and the history stays as it is", async () => {
  const instance = new Instance([opener]);
  const entries = view('a');
  for (const blocks of ['block a', 'block a', 'block b', undefined, undefined]) {
    await instance.request({ entries, blocks, answerCalled: true });
  }
  assert.deepEqual(
    instance.sent.map(({ messages }) => textsOf(messages)),
    [
      ['opener', 'block a', 'a'],
      ['opener', 'block a', 'a'],
      ['opener', 'block b', 'a'],
      ['opener', 'a'],
      ['opener', 'a'],
    ],
  );
  assert.deepEqual(instance.headerEvents, ['initial', 'delta', 'delta']);
  assert.equal(deriveMessages(instance.events).length, 1);
  assertRebuilds(instance);
});

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const sessions = fc.array(
  fc.record({
    entries: fc.array(names, { maxLength: 6 }),
    grows: fc.boolean(),
    system: fc.constantFrom(undefined, '', 'one\ntwo', 'two', 'two\ntwo'),
    tools: fc.constantFrom(undefined, [], [dig], [dig, rake], [rake, dig]),
    config: fc.constantFrom({ model: 'm' }, { model: 'n', seed: 1 }, { seed: 1, model: 'n' }),
    blocks: fc.constantFrom(undefined, 'block a', 'block b'),
    userUnit: fc.boolean(),
    answerCalled: fc.option(fc.boolean(), { nil: undefined }),
    injects: fc.nat(2),
    late: fc.boolean(),
    end: fc.constantFrom('completed' as const, 'failed' as const, 'none' as const),
    resume: fc.boolean(),
  }),
  { minLength: 1, maxLength: 10 },
);

test('law: seed 2: from the log alone every request of every session is rebuilt, with its hash', async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async plan => {
      let day = 1;
      let instance = new Instance([() => [message(`opener ${day}`)]]);
      let sent: Instance['sent'] = [];
      let held: readonly string[] = [];
      for (const step of plan) {
        if (step.resume) {
          sent = [...sent, ...instance.sent];
          day++;
          instance = new Instance([() => [message(`opener ${day}`)]], instance.events);
        }
        for (let note = 0; note < step.injects; note++) {
          instance.inject(`note ${instance.events.length}`);
        }
        held = step.grows ? [...held, ...step.entries] : step.entries;
        const occurrences = new Map<string, number>();
        const entries = held.map(value => {
          const occurrence = occurrences.get(value) ?? 0;
          occurrences.set(value, occurrence + 1);
          return entry(value, { keys: [`${value}#${occurrence}`] });
        });
        const { blocks, userUnit, answerCalled, system, tools, config } = step;
        await instance.request({
          entries,
          header: { config, system, tools },
          blocks,
          userUnit,
          ...(answerCalled !== undefined && { answerCalled }),
          ...(step.late && { meanwhile: () => instance.inject(`late ${instance.events.length}`) }),
        });
        if (step.end !== 'none') {
          instance.answered(answerCalled, step.end);
        }
      }
      const all = [...sent, ...instance.sent];
      assert.deepEqual(
        all.map(({ requestSequence }) => requestSequence),
        plan.map((_, index) => index + 1),
      );
      for (const { requestSequence, hash } of all) {
        const text = instance.history.sealedText(requestSequence) ?? '';
        assert.equal(createHash('sha256').update(text).digest('hex'), hash);
      }
      const read = JSON.parse(JSON.stringify(instance.events)) as readonly LogEvent[];
      const again = new RequestHistory();
      read.forEach(event => again.append(event));
      assert.deepEqual(
        all.map(({ requestSequence }) => again.sealedText(requestSequence)),
        all.map(({ requestSequence }) => instance.history.sealedText(requestSequence)),
      );
    }),
    { numRuns: 300 },
  );
});
