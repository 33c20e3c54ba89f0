import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DrawMessage } from '../../client/budget/page/pageData.ts';
import { type DemoSession, SCRIPTED_REQUESTS, startDemo } from './demoSession.ts';
import { extensionId, until } from './kit.ts';

const FOLDER = 'budgeted';
const BUDGET = {
  enabled: true,
  window: 20_000,
  task: 'Give to-dos a due date',
  constraints: [{ id: 'green', text: 'Keep all tests green' }],
};

suite('commands about the budget of a session', () => {
  let demo: DemoSession;

  suiteSetup(async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    const config = join(home(), 'config.json');
    writeFileSync(config, JSON.stringify({ budget: BUDGET }), { mode: 0o600 });
    demo = startDemo(FOLDER);
    await demo.untilRequest('the demo has come to its end', (_, request) => request >= SCRIPTED_REQUESTS);
    rmSync(config);
    await until('the session is shown', async () => {
      const { asked } = await answering({}, 'contextLifecycle.updateConstraint');
      return asked.includes('pick: green, New constraint…') ? true : undefined;
    });
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await demo.remove();
  });

  test('the task is asked for with its old text, and the model is told of the new one', async () => {
    const { asked, told } = await answering({ input: ['Ship due dates'] }, 'contextLifecycle.setTask');
    assert.deepEqual(asked, ['input: Give to-dos a due date']);
    assert.deepEqual(told, ['The model is told with the next request; the prefix stays as it is.']);
    await demo.untilRequest('a request tells of the task', body => body.includes('Ship due dates'));
    const again = await answering({ input: ['Ship due dates'] }, 'contextLifecycle.setTask');
    assert.deepEqual(again.told, ['Nothing changed: the session has it so already.']);
  });

  test('a constraint is changed, one is added, and one is taken out after a question', async () => {
    const change = await answering(
      { pick: 'green', input: ['Keep each test green'] },
      'contextLifecycle.updateConstraint',
    );
    assert.deepEqual(change.asked, ['pick: green, New constraint…', 'input: Keep all tests green']);
    await demo.untilRequest('a request tells of the constraint', body => body.includes('Keep each test green'));
    const added = await answering(
      { pick: 'New constraint…', input: ['Never write to production', 'no-production'] },
      'contextLifecycle.updateConstraint',
    );
    assert.deepEqual(added.asked.slice(1), ['input: ', 'input: never-write-to']);
    await demo.untilRequest('a request tells of it', body => body.includes('Never write to production'));
    const kept = await answering({ pick: 'no-production', input: [''] }, 'contextLifecycle.updateConstraint');
    assert.deepEqual(kept.asked.at(-1), 'question: Take constraint no-production out?');
    assert.deepEqual(kept.told, []);
    const gone = await answering(
      { pick: 'no-production', input: [''], button: 'Take Out' },
      'contextLifecycle.updateConstraint',
    );
    assert.deepEqual(gone.told, ['The model is told with the next request; the prefix stays as it is.']);
    const left = await answering({}, 'contextLifecycle.updateConstraint');
    assert.deepEqual(left.asked, ['pick: green, New constraint…']);
  });

  test('a rebase says its price first, and does nothing where that is refused', async () => {
    const refused = await answering({}, 'contextLifecycle.rebasePrefix');
    assert.match(
      refused.asked.join('\n'),
      /^question: Rebase the prefix\? .*\nIt costs the provider's cache once: [~≈]?[\d,]+ tokens are sent anew/,
    );
    assert.deepEqual(refused.told, []);
    const done = await answering({ button: 'Rebase' }, 'contextLifecycle.rebasePrefix');
    assert.deepEqual(done.told, ['The prefix is written anew with the next request.']);
    await until('nothing is left to rebase', async () => {
      const { told } = await answering({}, 'contextLifecycle.rebasePrefix');
      return told[0]?.startsWith('Nothing changed: the prefix holds') ? true : undefined;
    });
  });

  test('the budget opens as a tab, once, and says what a compression of the live session would cost', async () => {
    const drawn = drawnPages();
    for (let time = 0; time < 2; time++) {
      await answering({}, 'contextLifecycle.showBudget');
      await until('its tab is active', () => {
        const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
        return tab?.input instanceof vscode.TabInputWebview && tab.label === `Budget — demo · ${FOLDER}`
          ? true
          : undefined;
      });
    }
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
    assert.equal(tabs.filter(({ label }) => label.startsWith('Budget')).length, 1);
    await until('the price of a compression is drawn', () =>
      drawn.find(({ data }) => /^A compression now would \w+ /.test(data.parts?.whatIf ?? '')),
    );
  });

  test('T-39: the usage report is, to the letter, what the command line prints of the log', async () => {
    await demo.stop();
    await until('the session is over', async () => {
      const { told } = await answering({}, 'contextLifecycle.setTask');
      return told[0]?.startsWith('This session is not connected') ? true : undefined;
    });
    await answering({}, 'contextLifecycle.showUsageReport');
    const document = await until('the report is shown', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === 'context-lifecycle-report' ? shown : undefined;
    });
    const repository = process.env['CONTEXT_LIFECYCLE_REPOSITORY'] ?? '';
    const cli = spawnSync(process.execPath, [join(repository, 'dist/cli.js'), 'report', logFile()], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      encoding: 'utf8',
    });
    assert.match(document.getText(), /^Context Usage Report:\n {2}TIER 1: \d+ \/ 1000 \(\d+%\)\n/);
    assert.equal(document.getText(), cli.stdout);
  });
});

interface Answers {
  /** The label that is taken from lists; the session with ours is taken anyway. */
  readonly pick?: string;
  /** What is typed, one box after the other. */
  readonly input?: readonly string[];
  /** The button of a question. */
  readonly button?: string;
}

/** Runs a command and answers what it asks; gives what was asked, and what was told in the end. */
async function answering(
  { pick, input = [], button }: Answers,
  command: string,
): Promise<{ readonly asked: readonly string[]; readonly told: readonly string[] }> {
  const { window } = vscode;
  const originals = { ...window };
  const asked: string[] = [];
  const told: string[] = [];
  const left = [...input];
  const replaced = {
    showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
      const session = items.find(({ label }) => label.endsWith(FOLDER));
      if (!session) {
        asked.push(`pick: ${items.flatMap(({ label, kind }) => (kind === undefined ? label : [])).join(', ')}`);
      }
      return session ?? items.find(({ label }) => label === pick);
    },
    showInputBox: async ({ value = '' }: vscode.InputBoxOptions) => {
      asked.push(`input: ${value}`);
      return left.shift();
    },
    showWarningMessage: async (message: string, { detail = '' }: vscode.MessageOptions) => {
      asked.push(`question: ${message}${detail && ` ${detail}`}`);
      return button;
    },
    showInformationMessage: async (message: string) => void told.push(message),
    showErrorMessage: async (message: string) => void told.push(message),
  };
  const names = Object.keys(replaced) as (keyof typeof replaced)[];
  Object.assign(window, replaced);
  try {
    await vscode.commands.executeCommand(command);
  } finally {
    Object.assign(window, Object.fromEntries(names.map(name => [name, originals[name]])));
  }
  return { asked, told };
}

/** What the page of the budget that is opened next is given to draw. */
function drawnPages(): readonly DrawMessage[] {
  const { window } = vscode;
  const { createWebviewPanel } = window;
  const drawn: DrawMessage[] = [];
  const listening: typeof createWebviewPanel = (...options) => {
    Object.assign(window, { createWebviewPanel });
    const panel = createWebviewPanel(...options);
    const { webview } = panel;
    const post = webview.postMessage.bind(webview);
    webview.postMessage = (message: DrawMessage) => {
      drawn.push(message);
      return post(message);
    };
    return panel;
  };
  Object.assign(window, { createWebviewPanel: listening });
  return drawn;
}

/** The log of our session. */
function logFile(): string {
  const folder = join(home(), 'sessions');
  const file = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .map(name => join(folder, name))
    .find(path => (readFileSync(path, 'utf8').split('\n')[0] ?? '').includes(`/${FOLDER}"`));
  assert.ok(file, 'the session has a log');
  return file;
}

function home(): string {
  const folder = process.env['CONTEXT_LIFECYCLE_HOME'];
  assert.ok(folder, 'the launcher gives a home of its own');
  return folder;
}
