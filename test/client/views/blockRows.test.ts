import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PanelSession } from '../../../client/session/sessionModel.ts';
import { blockRows } from '../../../client/views/blockRows.ts';
import { PAGE, Pages } from '../../../client/views/pages.ts';
import { RowTree } from '../../../client/views/rowTree.ts';
import { initialState } from '../../../protocol/log/reduce.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { HASH } from '../../protocol/log/sessions.ts';
import {
  AGENTS,
  activated,
  CWD,
  discarded,
  drawingOf,
  everyRow,
  loaded,
  outline,
  rowNamed,
  sessionOf,
  sessionsOf,
} from './kit.ts';

const VIEW = 'contextLifecycle.blocks';
const COPILOT = `${CWD}/.github/copilot-instructions.md`;

const conflict: NewEvent = {
  type: 'block/conflict',
  data: {
    blockId: 'house-rules',
    source: COPILOT,
    line: 7,
    trigger: 'load',
    class: 'context-file',
    rule: 'rule 1',
    requestSequence: 1,
    winner: { source: AGENTS, line: 12 },
  },
};

const story: readonly NewEvent[] = [
  loaded(AGENTS, ['house-rules', 'planning'], [{ code: 'unclosed-block', line: 30, blockId: 'open' }]),
  activated('house-rules'),
  activated('planning', 1, AGENTS, 21, 285),
  activated('my-style', 1, '/home/you/context/AGENTS.md', 3, 121),
  conflict,
  discarded('planning', 3),
];

test('blocks stand in groups, each with its place, its size and since when; who discarded one is said first', () => {
  const rows = blockRows(sessionsOf(sessionOf(story)), drawingOf(VIEW));
  assert.deepEqual(outline(rows), [
    'Active | 2 blocks · 518 bytes',
    '  house-rules | AGENTS.md:12 · since request 1 · 397 bytes',
    '  my-style | …/context/AGENTS.md:3 · since request 1 · 121 bytes',
    'Discarded | 1 block',
    '  planning | by start.prompt.md · gone from request 3 on · AGENTS.md:21 · 285 bytes',
    'Invalid or in conflict | 2 blocks',
    '  house-rules | conflict · .github/copilot-instructions.md:7 · AGENTS.md:12 was first',
    '  open | invalid · AGENTS.md:30 · the block is never closed',
  ]);
});

test('a screen reader hears whole sentences with the state', () => {
  const tokensOf = () => ({ tokens: 98, origin: 'estimated' }) as const;
  const rows = blockRows(sessionsOf(sessionOf(story)), drawingOf(VIEW, { tokensOf }));
  const spoken = everyRow(rows).map(row => row.spoken);
  assert.deepEqual(spoken, [
    'Active: 2 blocks.',
    'Block house-rules is active since request 1. It starts at AGENTS.md:12 and takes 397 bytes. About 98 tokens, estimated.',
    'Block my-style is active since request 1. It starts at …/context/AGENTS.md:3 and takes 121 bytes. About 98 tokens, estimated.',
    'Discarded: 1 block.',
    'Block planning was discarded by .github/prompts/start.prompt.md:9 (workflow of the agent): it is absent from request 3 on. It starts at AGENTS.md:21 and took 285 bytes.',
    'Invalid or in conflict: 2 blocks.',
    'Block house-rules of .github/copilot-instructions.md:7 is in conflict and does not count: AGENTS.md:12 defined that ID first.',
    'Invalid at AGENTS.md:30, so it activates nothing: the block is never closed.',
  ]);
});

test('tokens carry the mark of where they come from', () => {
  for (const [origin, text] of [
    ['estimated', '~98 tokens'],
    ['anchored', '≈98 tokens'],
    ['exact', '98 tokens'],
  ] as const) {
    const rows = blockRows(sessionsOf(sessionOf(story)), drawingOf(VIEW, { tokensOf: () => ({ tokens: 98, origin }) }));
    assert.equal(
      rowNamed(rows, 'my-style').description,
      `…/context/AGENTS.md:3 · ${text} · since request 1 · 121 bytes`,
    );
  }
});

test('a discard says when, by whom and why; one by an editor names its connection', () => {
  const rows = blockRows(sessionsOf(sessionOf([...story, discarded('my-style', 4, 'window 2')])), drawingOf(VIEW));
  assert.match(rowNamed(rows, 'planning').tooltip ?? '', /^When: t1006$/m);
  assert.match(rowNamed(rows, 'planning').tooltip ?? '', /^Why it was allowed: rule 3: may discard$/m);
  assert.match(rowNamed(rows, 'my-style').description ?? '', /^by an editor · gone from request 4 on/);
  assert.match(
    rowNamed(rows, 'my-style').tooltip ?? '',
    /^Block my-style was discarded by an editor \(connection window 2\): it is absent from request 4 on\.$/m,
  );
  // The last discarded stands first.
  assert.deepEqual(
    rows[1]?.children?.().map(({ label }) => label),
    ['my-style', 'planning'],
  );
});

test('a block whose file has changed shows it by word, icon and kind', () => {
  const drift: NewEvent = {
    type: 'source/drifted',
    data: { source: AGENTS, class: 'context-file', sha256: HASH, bytes: 1, drifted: true },
  };
  const row = rowNamed(blockRows(sessionsOf(sessionOf([...story, drift])), drawingOf(VIEW)).slice(0, 1), 'house-rules');
  assert.match(row.description ?? '', /^file has changed · /);
  assert.match(row.spoken ?? '', /The file has changed since; the session keeps the text that it loaded\.$/);
  assert.equal(row.kind, 'block.active.drifted.mayDiscard');
  assert.equal(row.icon, 'diff-modified');
});

test('a click opens the source line, and only for a source that is a file', () => {
  const tool = activated('by-tool', 1, 'tool:read_file');
  const relative = activated('relative', 1, 'docs/a.md', 2);
  const rows = blockRows(sessionsOf(sessionOf([...story, tool, relative])), drawingOf(VIEW));
  assert.deepEqual(rowNamed(rows, 'my-style').command, {
    command: 'contextLifecycle.openSource',
    title: 'Open',
    arguments: [{ path: '/home/you/context/AGENTS.md', line: 3 }, { preserveFocus: true }],
  });
  assert.deepEqual(rowNamed(rows, 'relative').command?.arguments[0], { path: `${CWD}/docs/a.md`, line: 2 });
  assert.equal(rowNamed(rows, 'by-tool').command, undefined);
});

test('a discard is offered only where it would be obeyed', () => {
  const kinds = [true, false].map(mayDiscard => {
    const rows = blockRows(sessionsOf(sessionOf(story, { mayDiscard })), drawingOf(VIEW));
    return rowNamed(rows, 'my-style').kind;
  });
  assert.deepEqual(kinds, ['block.active.mayDiscard', 'block.active']);
});

test('rows of a session that is not there any more are grey', () => {
  const link = { kind: 'lost', sentence: 'gone', since: 5 } as const;
  const rows = blockRows(sessionsOf(sessionOf(story, { link })), drawingOf(VIEW));
  assert.deepEqual([...new Set(everyRow(rows).flatMap(({ color }) => color ?? []))], ['disabledForeground']);
});

test('a discard is not offered while nobody would hear it', () => {
  const link = { kind: 'lost', sentence: 'gone', since: 5 } as const;
  const rows = blockRows(sessionsOf(sessionOf(story, { link })), drawingOf(VIEW));
  assert.equal(rowNamed(rows, 'my-style').kind, 'block.active');
});

test('editor-bugs 65: two sessions with the same blocks have a row each, and no two ids are the same', () => {
  const [one, other] = ['one', 'other'].map(key => sessionOf(story, { key }));
  const rows = everyRow(blockRows(sessionsOf(one!, other!), drawingOf(VIEW)));
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  assert.deepEqual(
    rows
      .filter(({ kind }) => kind === 'session.connected')
      .map(({ label, description, expanded }) => [label, description, expanded]),
    [
      ['demo · to-do', 'connected · shown in editors · d334d6845913', true],
      ['demo · to-do', 'connected · d334d6845913', true],
    ],
  );
});

test('issue 4: a session that joins leaves the first one seen, and comes when there is something of it; one that is over comes folded', () => {
  const first = sessionOf(story, { key: 'first' });
  const kinds = (...all: readonly PanelSession[]) =>
    blockRows(sessionsOf(first, ...all), drawingOf(VIEW)).map(({ kind, expanded }) => [kind, expanded]);
  const link = { kind: 'connecting' } as const;
  assert.deepEqual(kinds(sessionOf([], { key: 'new', link, state: initialState })), kinds());
  assert.deepEqual(kinds(sessionOf(story, { key: 'back', link })).at(-1), ['session.connecting', false]);
  assert.deepEqual(kinds(sessionOf([], { key: 'new' }), sessionOf(story, { key: 'old', link: { kind: 'past' } })), [
    ['session.connected', true],
    ['session.connected', true],
    ['session.past', false],
  ]);
});

test('ids are of the thing: they stay when others come before it, and when it is discarded', () => {
  const idOf = (events: readonly NewEvent[]) => {
    const rows = blockRows(sessionsOf(sessionOf(events)), drawingOf(VIEW));
    return rowNamed(rows, 'my-style').id;
  };
  assert.equal(idOf(story), idOf([activated('first'), ...story, discarded('my-style', 4)]));
});

test('of 1,000 blocks one page of rows is made, and more when somebody asks', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => activated(`block-${index}`));
  let made = 0;
  const tokensOf = () => {
    made++;
    return undefined;
  };
  const pages = new Pages();
  const drawing = drawingOf(VIEW, { tokensOf, pages });
  const [active] = blockRows(sessionsOf(sessionOf(many)), drawing);
  assert.equal(made, 0);
  assert.match(active?.description ?? '', /^1,000 blocks/);
  const rows = active?.children?.() ?? [];
  assert.deepEqual([made, rows.length], [PAGE, PAGE + 1]);
  const more = rows.at(-1);
  assert.deepEqual([more?.label, more?.description], ['Show more', '800 left']);
  assert.deepEqual(more?.command?.arguments, [VIEW, active?.id]);
  pages.showMore(active?.id ?? '');
  assert.equal(active?.children?.().length, 2 * PAGE + 1);
});

test('hostile names are one bounded line in which nothing hides or turns text around', () => {
  const source = `/x/${'a'.repeat(5_000)}\u202e\n<!--DISCARD_BLOCK:a--> [x](command:y)`;
  const rows = blockRows(
    sessionsOf(sessionOf([loaded(source, [], [{ code: 'x\u200b'.repeat(900), line: 1 }]), activated('b', 1, source)])),
    drawingOf(VIEW),
  );
  for (const row of everyRow(rows)) {
    for (const text of [row.label, row.description ?? '']) {
      assert.ok(text.length <= 200, text);
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }
    assert.ok((row.tooltip ?? '').length <= 4_000);
    assert.doesNotMatch(row.tooltip ?? '', /[\u202e\u200b]/u);
  }
});

const problem = (source: string): NewEvent => ({
  type: 'session/problem',
  data: { code: 'observe-only', sentence: 'Its text was not found in what the agent sends.', source },
});

test('issue 5: a block whose source the agent sends by itself is observed only, and never shown as gone', () => {
  const rows = blockRows(sessionsOf(sessionOf([...story, problem(AGENTS)])), drawingOf(VIEW));
  assert.deepEqual(outline(rows).slice(0, 5), [
    'Active | 2 blocks · 518 bytes',
    '  house-rules | observe only · AGENTS.md:12 · since request 1 · 397 bytes',
    '  my-style | …/context/AGENTS.md:3 · since request 1 · 121 bytes',
    'Discarded, but still sent by the agent | 1 block',
    '  planning | by start.prompt.md · still sent · AGENTS.md:21 · 285 bytes',
  ]);
  assert.equal(
    everyRow(rows).find(({ kind }) => kind === 'group.discarded'),
    undefined,
  );
  for (const name of ['house-rules', 'planning']) {
    const row = rowNamed(rows, name);
    assert.match(row.tooltip ?? '', /Its text was not found in what the agent sends\./);
    assert.equal(row.icon, 'eye');
  }
  assert.match(rowNamed(rows, 'planning').spoken ?? '', /but the agent still sends it by itself\./);
});

test('issue 4: a definition of a source that may not define stands in a group of its own, once, with its line when it is known', () => {
  const refused: NewEvent = {
    type: 'block/denied',
    data: {
      blockId: 'sneaky',
      source: `${CWD}/README.md`,
      line: 4,
      trigger: 'load',
      class: 'repository-file',
      rule: 'no rule',
      requestSequence: 1,
    },
  };
  const events = [loaded(AGENTS, ['house-rules']), refused, refused];
  const session = sessionOf(events);
  const before = blockRows(sessionsOf(session), drawingOf(VIEW));
  assert.deepEqual(outline(before), [
    'Not allowed to define | 1 block',
    '  sneaky | not allowed to define · README.md',
  ]);
  const eventOf = () => ({ ...refused, seq: 2, time: 2 }) as unknown as LogEvent;
  const after = rowNamed(blockRows(sessionsOf(session), drawingOf(VIEW, { eventOf })), 'sneaky');
  assert.equal(after.description, 'not allowed to define · README.md:4');
  assert.match(after.tooltip ?? '', /Rule: no rule/);
  assert.match(after.spoken ?? '', /the policy lets this source define no blocks/);
  assert.equal(after.command?.command, 'contextLifecycle.openSource');
});

test('issue 4: names of a hundred thousand characters stay out of what is handed to the editor', () => {
  const long = 'x'.repeat(100_000);
  const blocks = [1, 2].map(number => activated(`${long}${number}`, 1, `/${long}${number}`));
  const tree = new RowTree();
  tree.update(
    blockRows(
      sessionsOf(sessionOf([...blocks, loaded(long, [], [{ code: long, line: 1, blockId: long }])])),
      drawingOf('v'),
    ),
  );
  const nodes = tree.roots.flatMap(root => tree.childrenOf(root));
  assert.equal(nodes.length, 3);
  assert.equal(new Set(nodes.map(({ id }) => id)).size, 3);
  for (const { id, row } of nodes) {
    const { about, ...handed } = row;
    assert.ok(id.length + JSON.stringify(handed).length < 5_000);
    assert.ok(about === undefined || about.blockId?.startsWith(long), 'what a command is about is exact');
  }
});
