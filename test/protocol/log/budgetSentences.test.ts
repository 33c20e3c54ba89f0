import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { eventSentence } from '../../../protocol/log/eventSentence.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { HASH, logOf } from './sessions.ts';

const [before, after] = [{ tokens: 800, origin: 'estimated' } as const, { tokens: 500, origin: 'exact' } as const];

const pass = {
  pass: 1,
  kind: 'compression',
  requestSequence: 4,
  before,
  after,
  historyBefore: before,
  historyAfter: after,
  rawAfter: after,
  edits: 2,
  outcome: 'enough',
} as const;

const asker = { source: 'a-person', class: 'user', requestSequence: 4 } as const;

const above = { tokens: 950, origin: 'estimated' } as const;

const measured = {
  requestSequence: 4,
  tiers: { tier1: after, tier2: after, tier3: after, tier4: after },
  host: after,
  unattributed: after,
  total: before,
  rawHistory: after,
  limits: { window: { tokens: 1000, source: 'the model' }, hard: 900, binds: 'window' },
  edited: false,
  gate: 'sent',
  flags: [],
} as const;

const edit = {
  edit: 1,
  kind: 'summarize',
  cause: 'over-trigger',
  actor: 'extractive@1',
  units: ['u1', 'u2'],
  replaces: [],
  before,
  after,
  counter: 'o200k_base',
  requestSequence: 4,
} as const;

const refused = { kind: 'remove', cause: 'asked', actor: 'a-person', requestSequence: 4 } as const;

const tier1 = { ...asker, constraints: [{ id: 'tabs', text: 'x' }], sha256: HASH } as const;

const checked = {
  occasion: 'interactions',
  interactions: 100,
  results: [
    { check: 'quotes', result: 'ok' },
    { check: 'behaviour', result: 'not-evaluated' },
  ],
  requestSequence: 4,
} as const;

const contradiction = { original: 'a', derived: 'b', requestSequence: 4 } as const;

const handoff = {
  action: 'resumed',
  from: 's0',
  sha256: HASH,
  blocks: [{ blockId: 'a', status: 'active' }],
  gaps: ['a.md has changed since.', 'b.md has changed since.'],
  requestSequence: 4,
} as const;

const EXPECTED: readonly (readonly [NewEvent, string])[] = [
  [{ type: 'budget/measured', data: measured }, 'Request 4 takes ~800 of 1,000 tokens (limit: 900).'],
  [
    { type: 'budget/measured', data: { ...measured, total: above, gate: 'warned' } },
    'Request 4 takes ~950 of 1,000 tokens, which is above the limit of 900; it is sent all the same.',
  ],
  [
    { type: 'budget/measured', data: { ...measured, total: above, gate: 'blocked' } },
    'Request 4 takes ~950 of 1,000 tokens, which is above the limit of 900; it is not sent.',
  ],
  [
    { type: 'budget/measured', data: { ...measured, gate: 'warned' } },
    'Request 4 takes ~800 of 1,000 tokens, an estimate that may be too low: it may be above the limit of 900, and is sent all the same.',
  ],
  [
    { type: 'budget/measured', data: { ...measured, gate: 'blocked' } },
    'Request 4 takes ~800 of 1,000 tokens, an estimate that may be too low: it may be above the limit of 900, and is not sent.',
  ],
  [
    { type: 'budget/edit', data: edit },
    'A summary by extractive@1 stands for messages of the history (units: 2; tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit', data: { ...edit, kind: 'remove' } },
    'Messages left the view; the log keeps them (by: extractive@1; units: 2; tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit', data: { ...edit, kind: 'unload', document: 'a.md' } },
    'The document a.md left the view (by: extractive@1; units: 2; tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit', data: { ...edit, kind: 'archive' } },
    'A summary left the view; the log keeps it (by: extractive@1; units: 2; tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit', data: { ...edit, kind: 'append', notice: 'anchor' } },
    'A message restates what the session is about (tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit', data: { ...edit, kind: 'append', notice: 'constraint-update' } },
    'A message tells the model of a changed constraint (tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit', data: { ...edit, kind: 'append', notice: 'gap-notice' } },
    'A message tells the model what is missing (tokens of the request: ~800 before, 500 now).',
  ],
  [
    { type: 'budget/edit-refused', data: { ...refused, reason: 'active-block' } },
    'A change of the view by a-person was not made: an active block stays whole.',
  ],
  [
    { type: 'budget/edit-refused', data: { ...refused, reason: 'no-objective' } },
    'Nothing was restated by a-person: nobody has said what the session is about.',
  ],
  [
    { type: 'budget/summary-failed', data: { actor: 'model:x', reason: 'it took too long.', requestSequence: 4 } },
    'model:x gave no usable summary, so the extractive one was taken: it took too long.',
  ],
  [
    {
      type: 'budget/reset-requested',
      data: { requestSequence: 4, total: before, hard: 700, largest: [{ part: 'system', amount: after }] },
    },
    'Request 4 takes ~800 tokens and cannot be brought below 700; a new session is needed (largest: system 500).',
  ],
  [
    {
      type: 'budget/reset-requested',
      data: { requestSequence: 4, total: before, hard: 900, largest: [{ part: 'tier4', amount: after }] },
    },
    'Request 4 takes ~800 tokens, may be above 900, and cannot be made smaller; a new session is needed (largest: tier 4 500).',
  ],
  [
    { type: 'budget/tier1-set', data: { ...tier1, reason: 'set' } },
    'a-person set the task and the constraints (constraints: 1).',
  ],
  [
    { type: 'budget/tier1-set', data: { ...tier1, reason: 'rebase' } },
    'a-person had the changed task and constraints written into the prefix, which breaks the cache once (constraints: 1).',
  ],
  [
    { type: 'budget/tier1-set', data: { ...tier1, reason: 'resume' } },
    'a-person set the task and the constraints of a session that goes on (constraints: 1).',
  ],
  [
    { type: 'budget/tier1-set', data: { ...tier1, reason: 'emergency' } },
    'a-person wrote the changed task and constraints into the prefix, which was cut anyway (constraints: 1).',
  ],
  [{ type: 'budget/tier1-updated', data: { ...asker, id: 'tabs', new: 'b' } }, 'a-person added constraint tabs.'],
  [{ type: 'budget/tier1-updated', data: { ...asker, id: 'tabs', old: 'a' } }, 'a-person took constraint tabs away.'],
  [{ type: 'budget/tier1-updated', data: { ...asker, id: 'objective', new: 'b' } }, 'a-person set the task.'],
  [
    { type: 'budget/tier1-updated', data: { ...asker, id: 'outputFormat', old: 'a', new: 'b' } },
    'a-person changed the form of the output.',
  ],
  [
    { type: 'budget/tier1-updated', data: { ...asker, id: 'identity', old: 'a' } },
    'a-person took away who the agent is.',
  ],
  [
    { type: 'budget/tier1-updated', data: { ...asker, id: 'constructor', old: 'a' } },
    'a-person took constraint constructor away.',
  ],
  [
    { type: 'budget/drift', data: { expected: HASH, response: 'paused', requestSequence: 4 } },
    'Request 4 does not hold the task and the constraints as they were set; the agent was paused.',
  ],
  [
    { type: 'budget/drift', data: { expected: HASH, response: 'report-only', requestSequence: 4 } },
    'Request 4 does not hold the task and the constraints as they were set; the agent cannot be paused.',
  ],
  [
    { type: 'budget/checked', data: checked },
    'The session was checked after 100 interactions (in order: 1; contradictions: 0; not evaluated: 1).',
  ],
  [
    { type: 'budget/checked', data: { ...checked, occasion: 'resume', interactions: 0 } },
    'What the session took over was checked (in order: 1; contradictions: 0; not evaluated: 1).',
  ],
  [
    { type: 'budget/contradiction', data: { ...contradiction, check: 'superseded-values' } },
    'A summary holds a value that was replaced; the line was struck.',
  ],
  [
    { type: 'budget/contradiction', data: { ...contradiction, check: 'toString' } },
    'A summary contradicts what was said first (toString); the original counts.',
  ],
  [
    { type: 'budget/document', data: { document: 'a.md', units: ['u1'], messages: 3, requestSequence: 4 } },
    'a.md is in the view as a document (units: 1).',
  ],
  [{ type: 'budget/document-touched', data: { document: 'a.md', messages: 3, requestSequence: 4 } }, 'a.md was used.'],
  [{ type: 'budget/handoff', data: handoff }, 'The session goes on from session s0 (blocks: 1; gaps: 2).'],
  [
    { type: 'budget/handoff', data: { ...handoff, action: 'saved' } },
    'The session was saved for another one (gaps: 2).',
  ],
  [
    { type: 'budget/pass', data: pass },
    'History was compressed before request 4 (tokens: ~800 before, 500 now; changes: 2).',
  ],
  [
    { type: 'budget/pass', data: { ...pass, outcome: 'target-missed' } },
    'History was compressed before request 4, but by less than half (tokens: ~800 before, 500 now; changes: 2).',
  ],
  [
    { type: 'budget/pass', data: { ...pass, kind: 'emergency' } },
    'Request 4 was above its limit and was cut (tokens: ~800 before, 500 now; changes: 2).',
  ],
  [
    { type: 'budget/pass', data: { ...pass, edits: 0 } },
    'Nothing of the history could be compressed before request 4.',
  ],
  [
    { type: 'budget/tier1-updated', data: { ...asker, id: 'tabs', old: 'a', new: 'b' } },
    'a-person changed constraint tabs.',
  ],
  [
    { type: 'budget/tier1-denied', data: { ...asker, class: 'web', id: 'tabs' } },
    'a-person may not change the task and the constraints, so nothing changed (what: tabs; its class: web).',
  ],
  [
    { type: 'budget/limit-learned', data: { tokens: 900, source: 'an error', requestSequence: 4 } },
    'The provider refused a request for its length, so the limit is 900 tokens now (an error).',
  ],
];

for (const [event, expected] of EXPECTED) {
  test(`a person reads: ${expected}`, () => {
    const [placed] = logOf([event]);
    assert.ok(placed);
    assert.equal(renderMessage(eventSentence(placed)), expected);
  });
}
