import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionHost } from '../../adapter/host/sessionHost.ts';
import { AttachedSession } from '../../client/session/attachedSession.ts';
import type { PanelSessions } from '../../client/session/sessionModel.ts';
import { auditRows } from '../../client/views/auditRows.ts';
import { blockRows } from '../../client/views/blockRows.ts';
import type { Drawing } from '../../client/views/drawing.ts';
import { ephemeralRows } from '../../client/views/ephemeralRows.ts';
import { requestRows } from '../../client/views/requestRows.ts';
import type { Row as ViewRow } from '../../client/views/row.ts';
import { RowTree } from '../../client/views/rowTree.ts';
import { sessionRows } from '../../client/views/sessionRows.ts';
import { listAnnouncements } from '../../local/announcements.ts';
import { connectToSession } from '../../local/sessionConnection.ts';
import { DEFAULT_POLICY } from '../../protocol/lifecycle/defaultPolicy.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { activated, drawingOf, ephemeral, loaded, request } from '../client/views/kit.ts';
import { logOf, opened } from '../protocol/log/sessions.ts';
import { header } from './longLog.ts';
import { median, milliseconds, type Row } from './measure.ts';

const BLOCKS = 1_000;
const REQUESTS = 10_000;
const ROUNDS = 40;

const VIEWS: readonly ((sessions: PanelSessions, drawing: Drawing) => readonly ViewRow[])[] = [
  blockRows,
  requestRows,
  ephemeralRows,
  (sessions, drawing) => auditRows(sessions, drawing, {}),
  sessionRows,
];

/** DESIGN (Speed): an event at the adapter to a row in the tree, over a real socket, and what one refresh of all views costs. */
export async function panelRows(): Promise<readonly Row[]> {
  const small = await measure(10, 10);
  const large = await measure(BLOCKS, REQUESTS);
  return [
    row('event at the adapter to rows of all views, 10 blocks, 10 requests', small.event, small.refresh),
    row('the same with 1,000 blocks and 10,000 requests', large.event, large.refresh),
    {
      work: 'attach to that session: snapshot to first rows',
      ours: milliseconds(large.attach),
      peer: '',
      ratio: '',
      bar: 'printed',
    },
  ];
}

function row(work: string, event: number, refresh: number): Row {
  return {
    work,
    ours: milliseconds(event),
    peer: `one refresh ${milliseconds(refresh)}`,
    ratio: '',
    bar: 'printed; views wait up to 250 ms more',
  };
}

/** Medians in milliseconds; all five views are open and unfolded as at first. */
async function measure(blocks: number, requests: number) {
  const events: LogEvent[] = [...sessionWith(blocks, requests)];
  let state = events.reduce(reduce, initialState);
  const folder = mkdtempSync(join(tmpdir(), 'context-lifecycle-bench-'));
  const host = await SessionHost.start({
    folder,
    header,
    policy: DEFAULT_POLICY,
    events: () => events,
    state: () => state,
    sealedText: () => undefined,
    whatIf: () => undefined,
    discard: () => 'denied',
    whatIfCompressed: () => undefined,
    tier1: () => undefined,
    updateTier1: () => 'off',
    rebasePrefix: () => 'off',
  });
  const [announcement] = listAnnouncements(folder).found;
  if (!announcement) {
    throw new Error('The host announced nothing.');
  }
  let changed: () => void = () => {};
  const start = performance.now();
  const session: AttachedSession = new AttachedSession(announcement, {
    connect: connectToSession,
    isGone: () => Promise.resolve(false),
    findLog: () => Promise.resolve(undefined),
    now: Date.now,
    changed: () => changed(),
    events: () => {},
    refused: () => {},
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await new Promise<void>(resolve => {
        changed = resolve;
      });
    }
  };
  const all = [session];
  const sessions: PanelSessions = {
    all,
    current: session,
    isNew: false,
    choose() {},
    onChange: () => ({ dispose() {} }),
  };
  const trees = VIEWS.map((rows, index) => ({ rows, tree: new RowTree(), drawing: drawingOf(`view${index}`) }));
  const refresh = () => {
    for (const { rows, tree, drawing } of trees) {
      tree.update(rows(sessions, drawing));
    }
  };
  await until(() => session.state.nextSeq === events.length);
  refresh();
  const attach = performance.now() - start;
  for (const { tree } of trees) {
    for (const node of tree.roots.filter(({ expanded }) => expanded)) {
      tree.childrenOf(node);
    }
  }
  const toRows: number[] = [];
  const refreshes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [event] = logOf([ephemeral('admitted', round + 1, requests + 1)], events.length);
    const begin = performance.now();
    if (event) {
      state = reduce(state, event);
      events.push(event);
    }
    host.push();
    await until(() => session.state.nextSeq === events.length);
    const drawn = performance.now();
    refresh();
    toRows.push(performance.now() - begin);
    refreshes.push(performance.now() - drawn);
  }
  session.dispose();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
  return { attach, event: median(toRows), refresh: median(refreshes) };
}

function sessionWith(blocks: number, requests: number): readonly LogEvent[] {
  const ids = Array.from({ length: blocks }, (_, index) => `block-${index}`);
  const news = [opened, loaded('/work/AGENTS.md', ids), ...ids.map(id => activated(id)), ephemeral('admitted', 0, 1)];
  for (let number = 1; number <= requests; number++) {
    news.push(...request(number, news.length));
  }
  return logOf(news);
}
