import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnostics } from '../../../server/features/diagnostics.ts';
import { freshId } from '../../../server/features/shared/freshId.ts';
import { actionsAt } from './codeActionKit.ts';
import { editsOf, findingsOf, open, project } from './fixture.ts';

const SUPPORT = { relatedInformation: true, diagnosticTags: true, codeDescriptions: true, diagnosticData: true };

test('of more findings than a client shows, the last one that is sent says how many are left', () => {
  const { document } = open(Array.from({ length: 100_000 }, () => ' <!--ephemeral-->'));
  const findings = findingsOf(document, project());
  assert.equal(findings.length, 100_000);
  const sent = diagnostics(document, findings, SUPPORT);
  assert.equal(sent.length, 1000);
  assert.deepEqual(sent.at(-1)?.range, { start: { line: 999, character: 0 }, end: { line: 999, character: 0 } });
  assert.match(JSON.stringify(sent.at(-1)?.message), /\b99001 more problems\b/);
  assert.equal(diagnostics(document, findings.slice(0, 1000), SUPPORT).at(-1)?.code, 'malformed-tag');
});

test('hints on repeated discards take only the room that findings leave', () => {
  const { document } = open(Array.from({ length: 5_000 }, () => '<!--DISCARD_BLOCK:a-->'));
  const findings = findingsOf(document, project());
  assert.equal(diagnostics(document, findings.slice(0, 10), SUPPORT).length, 1000);
  assert.equal(diagnostics(document, findings, SUPPORT).length, 1000);
  assert.equal(diagnostics(document, [], { ...SUPPORT, diagnosticTags: false }).length, 0);
});

test('a hundred thousand mechanical repairs are one action that is put together in one pass', () => {
  const opened = open(Array.from({ length: 100_000 }, () => ' <!--ephemeral-->'));
  const [action] = actionsAt(opened, { context: { only: ['source.fixAll'] } });
  assert.equal(editsOf(action?.edit, opened.document.uri).length, 100_000);
});

test('a selection of a hundred thousand repeated discards gets the first offers', () => {
  const opened = open(['$$CURSOR$$', ...Array.from({ length: 100_000 }, () => '<!--DISCARD_BLOCK:a-->'), '$$CURSOR$$']);
  const offers = actionsAt(opened, { context: { only: ['quickfix'] }, findings: [] });
  assert.equal(offers.length, 20);
});

test('a fresh ID is found behind fifty thousand that are taken', () => {
  const ids = ['block', ...Array.from({ length: 50_000 }, (_, index) => `block-${index + 2}`)];
  const { document } = open(ids.flatMap(id => [`<!--BLOCK_ID:${id}-->`, `<!--/BLOCK_ID:${id}-->`]));
  assert.equal(freshId('block', document, project()), 'block-50002');
});
