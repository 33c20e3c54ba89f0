import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { eventSentence } from '../../../protocol/log/eventSentence.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { withoutContent } from '../../../protocol/log/withoutContent.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { HASH, logOf, opened, secretsIn, sessions, sha256 } from './sessions.ts';

const said = (event: NewEvent): string => {
  const [placed] = logOf([event]);
  assert.ok(placed);
  return renderMessage(eventSentence(placed));
};

test('law: every event has one sentence, with a value for each place, and no content in it', () => {
  fc.assert(
    fc.property(sessions, events => {
      for (const event of events) {
        const { template, values } = eventSentence(event);
        const places = [...template.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place));
        assert.deepEqual(new Set(places), new Set(values.keys()), template);
        assert.match(template, /^(?:[A-Z]|\{\d\} )/);
        assert.match(template, /(?:\.|: \{\d\})$/);
        assert.deepEqual(secretsIn({ template, values }), []);
      }
    }),
    { numRuns: 200 },
  );
});

test('law: an event says the same with and without its content', () => {
  fc.assert(
    fc.property(sessions, events => {
      for (const event of events) {
        assert.deepEqual(eventSentence(withoutContent(event, sha256)), eventSentence(event));
      }
    }),
    { numRuns: 100 },
  );
});

const audit = {
  blockId: 'plan',
  source: 'AGENTS.md',
  trigger: 'load',
  class: 'context-file',
  rule: 'rule 1',
  requestSequence: 4,
} as const;

const seal = { requestSequence: 4, stepStart: 1, hash: HASH, bytes: 900, messages: 7, changes: [] } as const;

const EXPECTED: readonly (readonly [NewEvent, string])[] = [
  [opened, 'A session of test began.'],
  [{ type: 'session/opened', data: { ...opened.data, reason: 'resumed' } } as NewEvent, 'The session of test went on.'],
  [
    { type: 'session/opened', data: { ...opened.data, reason: 'forked', forkedFrom: 'x' } } as NewEvent,
    'A session of test began as a copy of session x.',
  ],
  [
    { type: 'session/opened', data: { ...opened.data, earlierUnknown: true } } as NewEvent,
    'A session of test is logged from here on; earlier discards are unknown.',
  ],
  [
    { type: 'block/activated', data: { ...audit, endLine: 3, bytes: 9, sha256: HASH } },
    'Block plan of AGENTS.md is active from request 4 on.',
  ],
  [
    { type: 'block/conflict', data: { ...audit, winner: { source: 'CLAUDE.md' } } },
    'Block plan of AGENTS.md does not count: CLAUDE.md defined that ID first.',
  ],
  [
    { type: 'block/discarded', data: { ...audit, source: 'plugin:p' } },
    'plugin:p discarded block plan: it is absent from request 4 on.',
  ],
  [
    { type: 'block/discarded', data: { ...audit, source: 'editor', connection: 'c2' } },
    'Connection c2 discarded block plan as editor: it is absent from request 4 on.',
  ],
  [
    { type: 'discard/denied', data: { ...audit, source: 'tool:bash' } },
    'tool:bash may not discard block plan, so nothing changed (rule 1).',
  ],
  [
    { type: 'request/sealed', data: { ...seal, prefixMessages: 2 } },
    'Request 4 is sealed (messages: 7, prefix: 2; bytes: 900).',
  ],
  [{ type: 'request/sealed', data: seal }, 'Request 4 is sealed (messages: 7; bytes: 900).'],
  [
    { type: 'request/receipt', data: { requestSequence: 4, result: 'mismatch', evidence: 'message 2 differs.' } },
    'What left as request 4 is not what was sealed: message 2 differs.',
  ],
  [
    { type: 'request/receipt', data: { requestSequence: 4, result: 'matched', evidence: '2 of 2 parts found' } },
    'What left as request 4 is what was sealed: 2 of 2 parts found.',
  ],
  [
    { type: 'request/body', data: { requestSequence: 4, bytes: 950, sha256: HASH } },
    'The body of request 4 leaves (bytes: 950).',
  ],
  [
    {
      type: 'request/body',
      data: { requestSequence: 4, bytes: 95, sha256: HASH, encoding: 'zstd', decoded: { bytes: 950, sha256: HASH } },
    },
    'The body of request 4 leaves, compressed as zstd (bytes: 95).',
  ],
  [
    { type: 'step/end', data: { turn: 1, step: 2, requestSequence: 4, outcome: 'aborted' } },
    'The answer to request 4 was aborted, so it consumed nothing.',
  ],
  [
    { type: 'host/message', data: { message: { role: 'user' }, units: [], cause: 'tombstone' }, surfaceOp: 'append' },
    'A message of the history changed: a tombstone stands in it now.',
  ],
  [{ type: 'host/message', data: { message: null, units: [] }, surfaceOp: 'append' }, 'Messages left the history.'],
  [{ type: 'turn/end', data: { turn: 3, reason: { kind: 'error', message: 'x' } } }, 'Turn 3 ended: error.'],
];

for (const [event, expected] of EXPECTED) {
  test(`a person reads: ${expected}`, () => {
    assert.equal(said(event), expected);
  });
}

test('what an unknown type means is not guessed', () => {
  const event: LogEvent = { type: 'future/thing', seq: 0, time: 0, data: null, ignorable: true };
  assert.equal(
    renderMessage(eventSentence(event)),
    'An event of the type future/thing, which this version does not know.',
  );
});
