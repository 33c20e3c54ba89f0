import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditChoices } from '../../../client/views/auditChoices.ts';
import { type AuditFilter, auditRows, auditTypes, filterText } from '../../../client/views/auditRows.ts';
import { PAGE, Pages } from '../../../client/views/pages.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import {
  AGENTS,
  activated,
  denied,
  discarded,
  drawingOf,
  ephemeral,
  outline,
  sessionOf,
  sessionsOf,
  wording,
} from './kit.ts';

const VIEW = 'contextLifecycle.audit';

const story: readonly NewEvent[] = [
  activated('house-rules'),
  activated('planning'),
  denied,
  discarded('planning', 3),
  ephemeral('consumed', 0, 3),
];

function rowsOf(filter: AuditFilter = {}, events = story) {
  return auditRows(sessionsOf(sessionOf(events)), drawingOf(VIEW), filter);
}

test('the audit comes newest first: what happened to which block, by whom, for which request, and when', () => {
  assert.deepEqual(outline(rowsOf()), [
    'Consumed: tool:read_file | request 3 · t1005',
    'Discarded: planning | by .github/prompts/start.prompt.md · request 3 · t1004',
    'DENIED discard: house-rules | by tool:read_issue · request 2 · t1003',
    'Activated: planning | by AGENTS.md · request 1 · t1002',
    'Activated: house-rules | by AGENTS.md · request 1 · t1001',
  ]);
});

test('what was denied stands out by word, icon and colour', () => {
  const row = rowsOf()[2];
  assert.deepEqual(
    [row?.icon, row?.color, row?.spoken],
    ['shield', 'problemsWarningIcon.foreground', 'DENIED discard: house-rules, by tool:read_issue, request 2, t1003'],
  );
});

test('it is narrowed to a kind, a block or a source', () => {
  assert.deepEqual(
    rowsOf({ type: 'discard/denied' }).map(({ label }) => label),
    ['DENIED discard: house-rules'],
  );
  assert.deepEqual(
    rowsOf({ blockId: 'planning' }).map(({ label }) => label),
    ['Discarded: planning', 'Activated: planning'],
  );
  assert.deepEqual(
    rowsOf({ source: AGENTS, blockId: 'planning' }).map(({ label }) => label),
    ['Activated: planning'],
  );
  assert.equal(
    filterText({ type: 'discard/denied', blockId: 'planning' }, wording),
    'DENIED discard: … · block planning',
  );
  assert.equal(filterText({}, wording), '');
});

test('every kind of entry can be chosen, by its own words', () => {
  const labels = auditTypes(wording).map(({ label }) => label);
  assert.equal(labels.length, 9);
  assert.equal(new Set(labels).size, labels.length);
});

test('the whole sentence and the rule are asked for only when somebody looks', async () => {
  let asked = 0;
  const session = sessionOf(story);
  const counted = {
    ...session,
    history: (from: number, to: number) => {
      asked++;
      return session.history(from, to);
    },
  };
  const rows = auditRows(sessionsOf(counted), drawingOf(VIEW), {});
  assert.equal(asked, 0);
  assert.equal(
    await rows[2]?.details?.(),
    'tool:read_issue may not discard block house-rules, so nothing changed (rule 6: tool-result "*" may ephemeral).\nRule: rule 6: tool-result "*" may ephemeral',
  );
  assert.equal(asked, 1);
});

test('an entry leads to its place', () => {
  assert.deepEqual(rowsOf()[2]?.command, {
    command: 'contextLifecycle.openAuditEntry',
    title: 'Open',
    arguments: [{ session: 'key', seq: 3 }, { preserveFocus: true }],
  });
});

test('of a long audit one page is made at a time; ids stay when new entries come', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => activated(`block-${index}`));
  const pages = new Pages();
  const drawing = drawingOf(VIEW, { pages });
  const rows = auditRows(sessionsOf(sessionOf(many)), drawing, {});
  assert.equal(rows.length, PAGE + 1);
  const later = auditRows(sessionsOf(sessionOf([...many, activated('new')])), drawing, {});
  assert.equal(later[1]?.id, rows[0]?.id);
  const [, list] = rows.at(-1)?.command?.arguments ?? [];
  pages.showMore(String(list));
  assert.equal(auditRows(sessionsOf(sessionOf(many)), drawing, {}).length, 2 * PAGE + 1);
  assert.equal(auditRows(sessionsOf(sessionOf(many)), drawing, { blockId: 'block-3' }).length, 1);
});

test('issue 4: one pick after the other narrows the audit further, and a pick that is on is taken off', () => {
  const sessions = sessionsOf(sessionOf(story));
  let filter: AuditFilter = {};
  const all = () => auditChoices(sessions, filter, wording).flatMap(({ choices }) => choices);
  const pick = (label: string): readonly string[] => {
    const choice = all().find(each => each.label === label);
    assert.ok(choice, label);
    filter = choice.filter;
    return [
      `on: ${all()
        .filter(({ isOn }) => isOn)
        .map(({ label }) => label)
        .join(', ')}`,
      ...rowsOf(filter).map(({ label }) => label),
    ];
  };
  assert.deepEqual(pick('AGENTS.md'), ['on: AGENTS.md', 'Activated: planning', 'Activated: house-rules']);
  assert.deepEqual(pick('house-rules'), ['on: house-rules, AGENTS.md', 'Activated: house-rules']);
  assert.equal(filterText(filter, wording), `block house-rules · source ${AGENTS}`);
  assert.deepEqual(pick('planning'), ['on: planning, AGENTS.md', 'Activated: planning'], 'of a kind there is one');
  assert.deepEqual(pick('Discarded: …'), ['on: Discarded: …, planning, AGENTS.md']);
  assert.deepEqual(pick('AGENTS.md'), ['on: Discarded: …, planning', 'Discarded: planning']);
  pick('planning');
  pick('Discarded: …');
  assert.deepEqual(filter, {});
});
