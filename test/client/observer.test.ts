import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { budgetPage } from '../../client/budget/budgetPage.ts';
import { activeContent } from '../../client/editor/activeContent.ts';
import { documentTags } from '../../client/editor/documentTags.ts';
import { isSourceOf } from '../../client/editor/sourceFile.ts';
import { tagMarks } from '../../client/editor/tagMarks.ts';
import { SessionFinder } from '../../client/session/sessionFinder.ts';
import type { PanelSession, PanelSessions } from '../../client/session/sessionModel.ts';
import { SessionRegistry } from '../../client/session/sessionRegistry.ts';
import { auditRows } from '../../client/views/auditRows.ts';
import { blockRows } from '../../client/views/blockRows.ts';
import { ephemeralRows } from '../../client/views/ephemeralRows.ts';
import { requestRows } from '../../client/views/requestRows.ts';
import { sessionRows } from '../../client/views/sessionRows.ts';
import { connectToSession } from '../../local/sessionConnection.ts';
import { homeOf } from '../cli/sessionKit.ts';
import { sha256 } from './editor/session.ts';
import { drawingOf, everyRow, wording } from './views/kit.ts';

const OPENINGS = 1_000;
/** Some at each change, so that a slow machine still has time to ask. */
const OPENINGS_AT_A_CHANGE = 100;

test('DESIGN, flow 2: a panel that opens every view a thousand times and asks for everything changes no byte of any request', {
  timeout: 120_000,
}, async t => {
  const { cli, cwd, home } = homeOf(t);
  const demo = async (record: string): Promise<readonly string[]> => {
    const { stderr, exitCode } = await cli('demo', '--pace', '30', '--record', record);
    assert.deepEqual({ stderr, exitCode }, { stderr: '', exitCode: 0 });
    const folder = join(cwd, record);
    return readdirSync(folder)
      .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
      .map(file => readFileSync(join(folder, file), 'utf8'));
  };
  const unwatched = await demo('unwatched');
  const panel = openPanel(t, home);
  const watched = await demo('watched');
  await panel.settled();
  assert.ok(panel.openings >= OPENINGS, `opened ${panel.openings} times`);
  assert.ok(panel.answers >= 20, `asked ${panel.answers} times`);
  assert.ok(panel.texts > 0, 'the text of an active block was read');
  assert.equal(watched.length, unwatched.length);
  for (const [index, body] of unwatched.entries()) {
    assert.equal(watched[index], body, `request ${index + 1}`);
  }
});

/** Watches every session below the folder, and looks at all of it whenever something changes. */
function openPanel(t: TestContext, home: string) {
  const counts = { openings: 0, answers: 0, texts: 0 };
  const asked: Promise<unknown>[] = [];
  const finder = new SessionFinder({
    folders: [join(home, 'run')],
    changed: () => registry.announcedAre(finder.found),
  });
  const registry: SessionRegistry = new SessionRegistry({
    connect: connectToSession,
    isGone: () => Promise.resolve(false),
    findLog: () => Promise.resolve(undefined),
    now: Date.now,
    refused: (_, sentence) => assert.fail(sentence),
    events: () => {},
    workspaceFolders: () => [home],
    autoAttach: () => true,
    remembered: { attached: [] },
    remember: () => {},
    failed: error => {
      throw error;
    },
  });
  registry.onChange(() => {
    const { current } = registry;
    if (current?.link.kind !== 'connected') {
      return;
    }
    for (let opening = 0; opening < OPENINGS_AT_A_CHANGE && counts.openings < OPENINGS; opening++) {
      openViews(registry, current);
      counts.openings++;
    }
    for (const [name, ask] of [
      ['answers', askEverything],
      ['texts', readTexts],
    ] as const) {
      const answered = ask(current).then(answers => {
        counts[name] += answers;
      });
      // the last questions come when the agent has gone
      asked.push(answered.catch(() => undefined));
    }
  });
  t.after(() => {
    registry.dispose();
    finder.dispose();
  });
  return {
    get openings() {
      return counts.openings;
    },
    get answers() {
      return counts.answers;
    },
    get texts() {
      return counts.texts;
    },
    settled: () => Promise.all(asked),
  };
}

function openViews(sessions: PanelSessions, session: PanelSession): void {
  for (const rows of [
    blockRows(sessions, drawingOf('blocks')),
    requestRows(sessions, drawingOf('requests')),
    ephemeralRows(sessions, drawingOf('ephemerals')),
    auditRows(sessions, drawingOf('audit'), {}),
    sessionRows(sessions, drawingOf('session')),
  ]) {
    everyRow(rows);
  }
  const [source] = session.state.lifecycle.sources.values();
  if (source) {
    const text = '<!--BLOCK_ID:my-style-->\n<!--/BLOCK_ID:my-style-->\n';
    tagMarks(documentTags(text, sha256), session.state, isSourceOf(source.loaded.source, undefined, 'posix'));
  }
}

/** How many answers came. */
async function askEverything(session: PanelSession): Promise<number> {
  const { lifecycle, nextSeq } = session.state;
  budgetPage(session, '', wording);
  const ids = [...lifecycle.blocks.keys(), 'nobody-defined-this'];
  await Promise.all([
    session.history(0, nextSeq),
    session.tier1(),
    session.whatIfCompressed(),
    ...ids.map(id => session.whatIf(id)),
  ]);
  return ids.length + 3;
}

/** How many texts of blocks were found in the last request. */
async function readTexts(session: PanelSession): Promise<number> {
  const { lifecycle, requests } = session.state;
  if (requests.length === 0) {
    return 0;
  }
  const { text } = await session.readRequest(requests.length);
  return [...lifecycle.blocks.values()].filter(({ id, activated }) =>
    activeContent(text, { id, sha256: activated.sha256 }, sha256),
  ).length;
}
