import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionLink } from '../../../client/session/sessionModel.ts';
import { sessionRows } from '../../../client/views/sessionRows.ts';
import { staleText, viewDescription } from '../../../client/views/staleText.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { activated, drawingOf, outline, request, rowNamed, sessionOf, sessionsOf, wording } from './kit.ts';

const VIEW = 'contextLifecycle.session';

const problem: NewEvent = { type: 'session/problem', data: { code: 'x', sentence: 'Something is\nwrong.' } };
const story: readonly NewEvent[] = [
  activated('planning'),
  ...request(1, 2),
  ...request(2, 8, { changes: [{ part: 'prefix', causes: [1] }] }),
  problem,
];

function rowsOf(link: SessionLink = { kind: 'connected' }, mayDiscard = true) {
  return sessionRows(sessionsOf(sessionOf(story, { link, mayDiscard, logFile: '/logs/a.jsonl' })), drawingOf(VIEW));
}

test('a session says who works where, how it is connected, and what its header did', () => {
  assert.deepEqual(outline(rowsOf()), [
    'demo · to-do | connected · d334d6845913',
    '  Connection | connected: what happens is shown at once',
    '  Agent | demo',
    '  Folder | /work/to-do',
    '  Began | t999',
    '  Policy | 6 rules',
    '  Discard from here | allowed',
    '  Header | prefix changed in request 2',
    '  Last request | ≈1,200 tokens · system prompt ~20 · tools ~200 · prefix ≈300 · messages ~681 · unattributed -1',
    '  Log | /logs/a.jsonl',
    '  Problems | 1',
  ]);
});

test('the policy says in words what each class of sources may do', () => {
  assert.deepEqual(outline(rowNamed(rowsOf(), 'Policy').children?.() ?? []), [
    'context file | may define blocks',
    'plug-in | may discard blocks',
    'workflow of the agent | may discard blocks',
    'editor | may discard blocks',
    'message of the user | may be ephemeral',
    'answer of the model | may do nothing',
    'tool result | may be ephemeral',
    'file of the repository | may do nothing',
    'web page | may do nothing',
    'summary | may do nothing, whatever a policy says',
    'handoff | may do nothing, whatever a policy says',
  ]);
});

test('a policy with patterns names them', () => {
  const rules = [
    { class: 'web', pattern: 'https://example.org/*', may: ['ephemeral', 'discard'] },
    { class: 'web', pattern: '*', may: [] },
  ] as const;
  const session = sessionOf(story, { policy: { rules } });
  const row = rowNamed(sessionRows(sessionsOf(session), drawingOf(VIEW)), 'web page');
  assert.equal(row.description, 'https://example.org/*: may be ephemeral, may discard blocks; may do nothing');
});

test('each state of the connection has its words, and what is stale says since when', () => {
  const links: readonly SessionLink[] = [
    { kind: 'connecting' },
    { kind: 'connected' },
    { kind: 'lost', sentence: 'The socket closed.', since: 7 },
    { kind: 'ended', sentence: 'The agent was closed.', since: 8 },
    { kind: 'past' },
  ];
  assert.deepEqual(
    links.map(link => [
      rowNamed(rowsOf(link), 'Connection').description,
      staleText(sessionsOf(sessionOf(story, { link })), wording),
    ]),
    [
      ['connecting…', undefined],
      ['connected: what happens is shown at once', undefined],
      ['lost at t7, tried again by itself: The socket closed.', 'Disconnected since t7: this is how it was then.'],
      ['over since t8: The agent was closed.', 'Disconnected since t8: this is how it was then.'],
      [
        'none: this is a past session, read from its log',
        'A past session, read from its log: nothing in it changes any more.',
      ],
    ],
  );
});

test('problems are one line each', () => {
  assert.deepEqual(outline(rowNamed(rowsOf(), 'Problems').children?.() ?? []), ['Something is\\u{a}wrong. | t1014']);
});

test('a session that may not be discarded in says so', () => {
  assert.equal(rowNamed(rowsOf({ kind: 'connected' }, false), 'Discard from here').description, 'not allowed');
});

test('beside the titles stands which session it is, and that it is not live', () => {
  const lost = sessionOf(story, { link: { kind: 'lost', sentence: 'gone', since: 7 } });
  const all = [[], [sessionOf(story)], [lost], [lost, sessionOf(story)]];
  assert.deepEqual(
    all.map(sessions => viewDescription(sessionsOf(...sessions), wording)),
    [undefined, 'demo · to-do', 'disconnected since t7 · demo · to-do', undefined],
  );
});

test('of several sessions one is shown in editors, and a click on another changes that', () => {
  const rows = sessionRows(sessionsOf(sessionOf(story, { key: 'a' }), sessionOf(story, { key: 'b' })), drawingOf(VIEW));
  assert.deepEqual(
    rows.map(({ description, spoken, command }) => [description, spoken, command?.arguments]),
    [
      ['connected · shown in editors · d334d6845913', 'Session demo · to-do, connected, shown in editors.', ['a']],
      ['connected · d334d6845913', 'Session demo · to-do, connected.', ['b']],
    ],
  );
  assert.equal(rowsOf()[0]?.command, undefined);
});
