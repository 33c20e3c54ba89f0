import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import { recordHeader } from '../../../protocol/request/recordHeader.ts';
import { assertCorrupt, delta, logOf, runInstance, snapshot, user } from './logKit.ts';
import { deepFreeze } from './vectorFile.ts';

const dig = { name: 'dig', description: 'd', parameters: {} };
const rake = { name: 'rake', description: 'r', parameters: {} };
const header = deepFreeze({ config: { model: 'm' }, system: 'one\ntwo', tools: [dig, rake] });

test('request-log 4: a header event carries neither turn nor step', () => {
  const { written } = runInstance([], [header, { ...header, system: 'one' }]);
  assert.deepEqual(
    written.map(event => Object.keys(event?.data ?? {})),
    [['header', 'reason'], ['system']],
  );
});

test('request-log 7: initial once, then silence while nothing changes', () => {
  const { written } = runInstance([], [header, header, structuredClone(header)]);
  assert.deepEqual(written, [{ type: 'request/header', data: { header, reason: 'initial' } }, undefined, undefined]);
});

test('request-log 7: another instance writes resume although nothing changed', () => {
  const { log } = runInstance(logOf(user('hi')), [header]);
  const resumed = runInstance(log, [header, header]);
  assert.deepEqual(resumed.written, [{ type: 'request/header', data: { header, reason: 'resume' } }, undefined]);
});

test('request-log 7: a change is a delta, a change that no delta can say is a fallback, and the fold is the header', () => {
  const changed = { ...header, system: 'one\n2', config: { model: 'n' } };
  const turned = { ...changed, tools: [rake, dig] };
  const { written, log } = runInstance([], [header, changed, turned]);
  assert.deepEqual(written.slice(1), [
    {
      type: 'request/header-delta',
      data: { system: { keepStart: 1, keepEnd: 0, insert: ['2'] }, config: { model: 'n' } },
    },
    { type: 'request/header', data: { header: turned, reason: 'fallback' } },
  ]);
  assert.deepEqual(foldRequestHeader(log.slice(0, 2)), changed);
  assert.deepEqual(foldRequestHeader(log), turned);
});

test('request-log 7: the baseline is the fold of the log, never what this instance wrote', () => {
  const { log } = runInstance([], [header]);
  const others = logOf(...log, snapshot({ config: { model: 'other' } }));
  assert.deepEqual(recordHeader(others, { loggedHeader: true }, { config: { model: 'other' } }), undefined);
  assert.deepEqual(recordHeader(others, { loggedHeader: true }, { config: { model: 'm' } }), {
    type: 'request/header-delta',
    data: { config: { model: 'm' } },
  });
});

test('request-log 7: a first append that left the event but not the flag is followed by a resume', () => {
  const first = recordHeader([], { loggedHeader: false }, header);
  assert.ok(first);
  const second = recordHeader(logOf(first), { loggedHeader: false }, header);
  assert.deepEqual(second, { type: 'request/header', data: { header, reason: 'resume' } });
});

test('request-log 7: a header is put in canonical form before it is written or compared', () => {
  const bare = { config: { model: 'm' } };
  const { written } = runInstance([], [{ ...bare, system: '', tools: [], messagePrefix: [] }, bare]);
  assert.deepEqual(written, [{ type: 'request/header', data: { header: bare, reason: 'initial' } }, undefined]);
});

test('request-log 5.2: tools that share a key are written so that the log folds to them', () => {
  const search = (uses: number) => ({ type: 'search', uses });
  const lists = [
    [search(1), search(2)],
    [search(2), search(1)],
    [search(2)],
    [search(2), { parameters: {} }, 'text', null, 5],
    [null, 5, 'text', { parameters: {} }, search(2)],
    [],
  ];
  const headers = lists.map(tools => ({ config: { model: 'm' }, tools }));
  const { written, log } = runInstance([], headers);
  assert.deepEqual(
    written.map(event => (event?.type === 'request/header' ? event.data.reason : event?.type)),
    ['initial', 'fallback', 'fallback', 'request/header-delta', 'fallback', 'request/header-delta'],
  );
  for (const [index, { config, tools }] of headers.entries()) {
    assert.deepEqual(foldRequestHeader(log.slice(0, index + 1)), { config, ...(tools.length > 0 && { tools }) });
  }
});

test('request-log 7: a log that cannot be folded is a named error, and no event', () => {
  assertCorrupt(() => recordHeader(logOf(delta({})), { loggedHeader: false }, header), 0, /no header stands before/);
});

test('request-log 7: an instance that lost its log writes a first header again', () => {
  assert.deepEqual(recordHeader([], { loggedHeader: true }, header), {
    type: 'request/header',
    data: { header, reason: 'initial' },
  });
});
