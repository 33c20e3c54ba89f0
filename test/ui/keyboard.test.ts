import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { ProcessGroup } from '../host/processGroup.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import {
  focused,
  focusView,
  moveTo,
  openMenu,
  pressShowHover,
  runByKeys,
  says,
  takeByKeys,
  turn,
  untilShown,
} from './keys.ts';
import { openSidebar, sessionViewsOf } from './sessionViews.ts';
import { openWindow, type Window } from './window.ts';
import { startWorkspaceAgent } from './workspaceAgent.ts';

const limit = { timeout: 90_000 };
const FOLDERS = ['service', 'shop'] as const;
let window: Window;
const agents = new Map<string, ProcessGroup>();

before(async () => {
  process.env['CONTEXT_LIFECYCLE_HOME'] = makeTemporaryFolder('home');
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
  // a view draws only the rows that fit
  await window.page.setViewportSize({ width: 1280, height: 1500 });
  await openSidebar(window.page);
  for (const folder of FOLDERS) {
    agents.set(folder, startWorkspaceAgent(window.workspace, folder));
  }
});
after(async () => {
  await Promise.all([...agents.values()].map(agent => agent.stop()));
  await window?.close();
});

const views = () => sessionViewsOf(window.page);

/** The session that editors show, and the other one. */
let current = '';
let other = '';

test('two live sessions stand side by side', limit, async () => {
  const { rows, fold, spoken } = views();
  for (const folder of FOLDERS) {
    await sessionRow(folder)
      .filter({ hasText: /connected/ })
      .waitFor({ timeout: 60_000 });
  }
  for (const name of ['Requests', 'Declared Blocks']) {
    await fold(name);
  }
  [current = '', other = ''] = await foldersInOrder();
  for (const folder of FOLDERS) {
    const row = sessionRow(folder);
    await untilShown(row.and(window.page.locator('[aria-expanded=true]')), async () => {
      if ((await row.getAttribute('aria-expanded')) === 'false') {
        await row.locator('.monaco-tl-twistie').click();
      }
    });
  }
  // both have come to the end of their scripts
  await rows('Blocks')
    .filter({ hasText: 'release-steps' })
    .filter({ hasText: 'gone from request 11 on' })
    .nth(1)
    .waitFor({ timeout: 60_000 });
  for (const folder of FOLDERS) {
    const own = rowsOfSession(await spoken('Blocks'), folder);
    assert.deepEqual(
      own.filter(text => text.startsWith('Block ')).map(text => text.split(' ', 4).join(' ')),
      [
        'Block my-style is active',
        'Block house-rules is active',
        'Block http-api is active',
        'Block http-api_error-style is active',
        'Block release-steps was discarded',
        'Block planning was discarded',
        'Block house-rules of .github/copilot-instructions.md:7',
      ],
    );
  }
  await window.picture('61-two-sessions');
});

test('a block is discarded by keyboard alone in the one session, and stays in the other', limit, async () => {
  const { rows, spoken } = views();
  await focusView(window.page, 'Blocks');
  await openOnly('Blocks', other);
  await moveTo(window.page, 'Blocks', /^Block http-api_error-style is active/);
  assert.deepEqual(await openMenu(window.page), ['Show in Request', 'Discard Block…', 'Copy Block ID']);
  await takeByKeys(window.page, 'Discard Block…');
  const dialog = window.page.locator('.monaco-dialog-box');
  await dialog.getByText('Discard block http-api_error-style?').waitFor();
  await dialog.locator('.monaco-button:focus', { hasText: /^Discard$/ }).waitFor();
  await window.page.keyboard.press('Enter');
  await rows('Blocks').filter({ hasText: 'http-api_error-style' }).filter({ hasText: 'by an editor' }).waitFor();
  assert.ok(
    (await spoken('Blocks')).some(text => text.startsWith('Block http-api_error-style was discarded by an editor')),
  );
  await openOnly('Blocks', current);
  await moveTo(window.page, 'Blocks', /^Block http-api_error-style is active/);
  assert.ok(!(await spoken('Blocks')).some(text => text.includes('by an editor')));
  await window.picture('62-other-state');
});

test('a live hover is shown and obeyed by keyboard, with its three commands', limit, async () => {
  const { page } = window;
  await focusView(window.page, 'Blocks');
  await openOnly('Blocks', current);
  await moveTo(window.page, 'Blocks', /^Block house-rules is active/);
  await page.keyboard.press('Enter');
  await page.locator('.statusbar-item', { hasText: /^Ln 12, Col 1/ }).waitFor();
  await page.keyboard.press('Control+1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' of mine');
  await page.keyboard.press('ArrowUp');
  const hover = page
    .locator('.monaco-hover', { hasText: 'the session keeps the text that it loaded' })
    .filter({ visible: true });
  await untilShown(hover, async () => {
    await page.keyboard.press('Escape');
    await pressShowHover(window.page);
  });
  await window.picture('63-keyboard-hover');
  // once more: the hover has the keys
  await pressShowHover(window.page);
  for (const command of ['Discard Block…', 'Show in Request', 'Compare with the Active Text']) {
    const link = hover.locator('a:focus', { hasText: command });
    for (let presses = 0; presses < 10 && (await link.count()) === 0; presses++) {
      await page.keyboard.press('Tab');
    }
    await link.waitFor();
  }
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: 'house-rules: as loaded' }).waitFor();
  await runByKeys(window.page, 'File: Revert File');
  await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
});

test('when one of two sessions ends, it says so and the other goes on', limit, async () => {
  await agents.get(other)?.stop();
  await sessionRow(other)
    .filter({ hasText: /ended at/ })
    .waitFor();
  await sessionRow(current)
    .filter({ hasText: /connected/ })
    .waitFor();
  await window.page.locator('.statusbar-item', { hasText: '4 blocks active' }).waitFor();
  await window.picture('64-one-ended');
});

test('a past session is opened by keyboard, in place of those that were live', limit, async () => {
  const { page } = window;
  await agents.get(current)?.stop();
  await sessionRow(current)
    .filter({ hasText: /ended at/ })
    .waitFor();
  const list = page.locator('.quick-input-widget').filter({ visible: true });
  const first = list.locator('.monaco-list-row.focused', { hasText: 'demo' });
  const remove = 'Context Lifecycle: Remove Session from the Sidebar';
  const choose = async (command: string) => {
    await runByKeys(page, command, first);
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'hidden' });
  };
  await choose(remove);
  // the only one that is left needs no choice
  await runByKeys(page, remove, views().view('Blocks').getByText('No session is shown any more.'));
  await choose('Context Lifecycle: Open Session Log…');
  await views().view('Blocks').getByText('A past session, read from its log').waitFor();
  await views().rows('Blocks').filter({ hasText: 'house-rules' }).first().waitFor();
});

interface Walk {
  readonly name: string;
  /** Each row that is drawn says this. */
  readonly says: RegExp;
  /** The row on which Enter is pressed. Its group `request` is that of the document that this opens. */
  readonly row: RegExp;
  /** What it opens where that is no request. */
  readonly opens?: string;
  /** What that row's menu offers. */
  readonly menu: readonly string[];
}

const SESSION = String.raw`Session demo · (service|shop), past session\.`;
const COUNT = String.raw`[~≈]?[\d,.]+`;

const WALKS: readonly Walk[] = [
  {
    name: 'Declared Blocks',
    says: new RegExp(
      String.raw`^(Source \S+ is number \d+ in load order\. It declares \d+ blocks?\. It has \d+ problems?\.|Block '[\w-]+' is (valid|invalid|in conflict: .+)\. .*It starts in \S+, line \d+\.( It holds \d+ lines?\.)?)$`,
    ),
    row: /^Block 'style' is valid/,
    opens: 'AGENTS.md',
    menu: ['Copy Block ID'],
  },
  {
    name: 'Blocks',
    says: new RegExp(
      String.raw`^((Active|Discarded|Invalid or in conflict): \d+ blocks?\.|Block [\w-]+ (is active since request \d+\. It starts at \S+:\d+ and takes .+\.|was discarded by .+: it is absent from request \d+ on\. .+|of \S+ is in conflict and does not count: .+))$`,
    ),
    row: /^Block http-api is active/,
    opens: 'api.context.md',
    menu: ['Show in Request', 'Copy Block ID'],
  },
  {
    name: 'Requests',
    says: new RegExp(
      String.raw`^(Request \d+\. ${COUNT} tokens\. .+\. (what left is what was sealed|nothing was seen to leave yet))$`,
    ),
    row: /^Request (?<request>9)\. /,
    menu: [
      'Show Request…',
      'Compare with Request Before',
      'Compare Requests…',
      'Show Raw JSON…',
      'Show State at Request…',
    ],
  },
  {
    name: 'Ephemeral Messages',
    says: new RegExp(
      String.raw`^((Waiting|In flight): \d+\.|Consumed: \d+\. .+ freed|Ephemeral content of tool:\w+, .+\. .*[Rr]equest .+\.)$`,
    ),
    row: /^Ephemeral content .* A tombstone stands for it since request (?<request>\d+)\./,
    menu: [],
  },
  {
    name: 'Audit',
    says: new RegExp(
      String.raw`^((Activated|Discarded|Conflict|DENIED discard|Consumed|Discarded once more): \S+, (by \S+, )?request \d+, .+)$`,
    ),
    row: /^DENIED discard: house-rules, by tool:\w+, request (?<request>\d+)/,
    menu: [],
  },
  {
    name: 'Session',
    says: new RegExp(String.raw`^(${SESSION}|[A-Z][\w ]+: .+)$`),
    row: /^Header: prefix changed in request (?<request>\d+)/,
    menu: [],
  },
];

for (const { name, says, row, opens, menu } of WALKS) {
  test(`${name} is walked by keyboard alone, and a screen reader has a sentence for every row`, limit, async () => {
    const { page } = window;
    await focusView(window.page, name);
    await page.keyboard.press('Home');
    const isOpen = await focused(window.page, name).getAttribute('aria-expanded');
    if (isOpen !== null) {
      const first = views().rows(name).first();
      await turn(window.page, first, isOpen !== 'true');
      await turn(window.page, first, isOpen === 'true');
    }
    const found = await moveTo(window.page, name, row);
    for (const text of await views().spoken(name)) {
      assert.match(text, says);
    }
    if (menu.length > 0) {
      assert.deepEqual(await openMenu(window.page), menu);
      await page.keyboard.press('Escape');
      await page.locator('.monaco-menu').waitFor({ state: 'detached' });
    }
    await focused(window.page, name).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: opens ?? `Request ${found.groups?.['request']}.txt` }).waitFor();
    // what a row opens leaves the list its keys
    await focused(window.page, name).waitFor();
  });
}

function sessionRow(folder: string): Locator {
  return views()
    .rows('Blocks')
    .filter({ hasText: `demo · ${folder}` });
}

/** The folders of the sessions, first that which editors show. */
async function foldersInOrder(): Promise<readonly string[]> {
  return (await views().spoken('Blocks')).flatMap(text => /^Session demo · (\w+),/.exec(text)?.[1] ?? []);
}

/** Of all rows those below the row of a session. */
function rowsOfSession(all: readonly string[], folder: string): readonly string[] {
  const start = all.findIndex(text => text.startsWith(`Session demo · ${folder},`)) + 1;
  const length = all.slice(start).findIndex(text => text.startsWith('Session demo'));
  return length < 0 ? all.slice(start) : all.slice(start, start + length);
}

/** Unfolds a session and folds the other one, so that all other rows are of the one. */
async function openOnly(view: string, session: string): Promise<void> {
  const { keyboard } = window.page;
  const isOn = (folder: string): Promise<boolean> => says(window.page, view, new RegExp(`^Session demo · ${folder},`));
  await keyboard.press('Home');
  await focused(window.page, view).waitFor();
  const [first, second] = (await isOn(current)) ? [current, other] : [other, current];
  await turn(window.page, focused(window.page, view), first === session);
  // the way up ends at the row of the last session, which the same key folds
  await keyboard.press('End');
  for (let presses = 0; presses < 10 && !(await isOn(second)); presses++) {
    await keyboard.press('ArrowLeft');
  }
  await turn(window.page, focused(window.page, view), second === session);
}
