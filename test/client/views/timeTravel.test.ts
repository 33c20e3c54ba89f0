import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockRows } from '../../../client/views/blockRows.ts';
import { ephemeralRows } from '../../../client/views/ephemeralRows.ts';
import { viewDescription } from '../../../client/views/staleText.ts';
import { TimeTravel } from '../../../client/views/timeTravel.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import {
  activated,
  discarded,
  drawingOf,
  ephemeral,
  everyRow,
  outline,
  request,
  rowNamed,
  sessionOf,
  sessionsOf,
  wording,
} from './kit.ts';

const VIEW = 'contextLifecycle.blocks';

/** `planning` is discarded between the requests 1 and 2; the tool result is whole in request 1 and a tombstone in request 2. */
const story: readonly NewEvent[] = [
  activated('planning'),
  ephemeral('admitted', 0, 1),
  ...request(1, 3),
  discarded('planning', 2),
  ephemeral('consumed', 0, 2),
  ...request(2, 11),
];

function shownAsOf(): { readonly travel: TimeTravel; readonly session: ReturnType<typeof sessionOf> } {
  const session = sessionOf(story);
  return { travel: new TimeTravel(sessionsOf(session)), session };
}

test('issue 4: blocks and ephemeral messages stand as they stood at a request, below a row that says so and leads back', async () => {
  const { travel, session } = shownAsOf();
  await travel.goTo(session, 1);
  assert.deepEqual(outline(blockRows(travel.sessions, drawingOf(VIEW))), [
    'As of request 1 | Back to now',
    'Active | 1 block · 397 bytes',
    '  planning | AGENTS.md:12 · since request 1 · 397 bytes',
  ]);
  assert.deepEqual(outline(ephemeralRows(travel.sessions, drawingOf(VIEW))), [
    'As of request 1 | Back to now',
    'In flight | 1',
    '  tool:read_file | 632 bytes · whole since request 1',
  ]);
  assert.equal(viewDescription(travel.sessions, wording), 'as of request 1 · demo · to-do');
  const [mark] = blockRows(travel.sessions, drawingOf(VIEW));
  assert.deepEqual(
    [mark?.command?.command, mark?.command?.arguments],
    ['contextLifecycle.showStateOfNow', [{ session: 'key' }]],
  );
  assert.match(
    mark?.spoken ?? '',
    /^This is how the session was when request 1 had been sealed \(t1005\)\. Back to now\.$/,
  );
});

test('issue 4: nothing can be discarded in the past, and a block is shown in the request of then', async () => {
  const { travel, session } = shownAsOf();
  const kindOf = () => rowNamed(blockRows(travel.sessions, drawingOf(VIEW)), 'planning');
  await travel.goTo(session, 1);
  assert.deepEqual(
    [kindOf().kind, kindOf().about],
    ['block.active', { session: 'key', blockId: 'planning', request: 1 }],
  );
  await assert.rejects(travel.sessions.all[0]!.discard('planning'), /go back to now/);
  assert.equal(await travel.sessions.all[0]!.whatIfCompressed(), undefined);
});

test('issue 4: back to now, all is as if nobody had looked back; the session itself never changed', async () => {
  const { travel, session } = shownAsOf();
  const now = outline(blockRows(travel.sessions, drawingOf(VIEW)));
  const { state } = session;
  assert.equal(travel.goBack(), false);
  await travel.goTo(session, 1);
  await travel.goTo(session, 2);
  assert.equal(travel.sessions.current?.asOf, 2);
  assert.equal(session.state, state);
  assert.equal(session.asOf, undefined);
  assert.equal(travel.goBack('another key'), false);
  assert.equal(travel.goBack('key'), true);
  assert.deepEqual(outline(blockRows(travel.sessions, drawingOf(VIEW))), now);
});

test('issue 4: what is shown of then stays while the session goes on, and ends where it goes on in another log', async () => {
  let shown = sessionOf(story);
  const original = shown;
  const sessions = {
    ...sessionsOf(),
    get all() {
      return [shown];
    },
    get current() {
      return shown;
    },
  };
  const travel = new TimeTravel(sessions);
  await travel.goTo(shown, 1);
  assert.equal(travel.sessions.all[0]?.asOf, 1);
  shown = sessionOf([]);
  assert.equal(travel.sessions.all[0], shown);
  shown = original;
  assert.equal(travel.sessions.all[0], shown);
});

test('issue 4: of several sessions only the one that was sent back is in the past', async () => {
  const one = sessionOf(story);
  const other = sessionOf(story, { key: 'other' });
  const travel = new TimeTravel(sessionsOf(one, other));
  await travel.goTo(one, 1);
  const marks = everyRow(blockRows(travel.sessions, drawingOf(VIEW))).filter(({ kind }) => kind === 'asOf');
  assert.deepEqual(
    marks.map(({ label }) => label),
    ['As of request 1'],
  );
  assert.deepEqual(
    travel.sessions.all.map(({ asOf }) => asOf),
    [1, undefined],
  );
});
