import { strict as assert } from 'node:assert';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type DemoSession, SCRIPTED_REQUESTS, startDemo } from './demoSession.ts';
import { extensionId, until } from './kit.ts';

const FOLDER = 'viewed';

suite('commands about what a session holds', () => {
  let demo: DemoSession;

  suiteSetup(async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    demo = startDemo(FOLDER);
    await demo.untilRequest('the demo has come to its end', (_, request) => request >= SCRIPTED_REQUESTS);
    await until('the session is shown', async () => ((await usage()).includes(FOLDER) ? true : undefined));
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await demo.remove();
  });

  test('usage is copied as text', async () => {
    assert.match(await usage(), /^Requests: \d+, of which the provider reported usage for \d+$/m);
    assert.match(await usage(), /^Last request, as counted here: [~≈]?[\d,]+ tokens · system prompt /m);
  });

  test('the raw JSON of a request is what the model received, byte for byte but for the line ends', async () => {
    await picking(['Request 8'], () => vscode.commands.executeCommand('contextLifecycle.showRawRequest'));
    const document = await untilDocument('.json');
    assert.equal(JSON.stringify(JSON.parse(document.getText())), demo.body(8));
    assert.equal(document.languageId, 'json');
  });

  test('two requests stand side by side, the earlier one on the left', async () => {
    await picking(['Request 8', 'Request 3'], () => vscode.commands.executeCommand('contextLifecycle.compareRequests'));
    const { original, modified } = await until('the diff is open', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    assert.deepEqual(
      [original, modified].map(({ path }) => path.split('/').at(-1)),
      ['Request 3.txt', 'Request 8.txt'],
    );
    const texts = await Promise.all(
      [original, modified].map(async uri => (await vscode.workspace.openTextDocument(uri)).getText()),
    );
    assert.match(texts[0] ?? '', /^Request 3 of demo · viewed$/m);
    assert.match(texts[1] ?? '', /^messages {2}15 · /m);
  });

  test('a document of requests that nobody can have says so and stays', async () => {
    for (const query of ['["nobody",1,"text"]', 'anything']) {
      const uri = vscode.Uri.from({ scheme: 'context-lifecycle-request', path: '/x/y.txt', query });
      const document = await vscode.workspace.openTextDocument(uri);
      assert.match(document.getText(), /^This session is not shown in this window any more\./);
    }
  });

  test('an export says first that it holds the conversation, and writes nothing when that is refused', async () => {
    const target = vscode.Uri.file(join(tmpdir(), `context-lifecycle-${process.pid}-refused.json`));
    const asked = await exporting(undefined, target);
    assert.match(asked, /^The export holds the conversation\. What you, the model and the tools said stands in it/);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(target)));
  });

  test('it is exported as JSON with everything that was said, and as a report that people can read', async () => {
    const target = (ending: string) => vscode.Uri.file(join(tmpdir(), `context-lifecycle-${process.pid}.${ending}`));
    await exporting('Export as JSON', target('json'));
    const { header, events } = JSON.parse(await textOf(target('json'))) as {
      header: { agent: string };
      events: { type: string; seq: number }[];
    };
    assert.equal(header.agent, 'demo');
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index),
    );
    assert.match(JSON.stringify(events), /To-dos need a due date\. Plan it first\./);
    await exporting('Export as Markdown Report', target('md'));
    const report = (await textOf(target('md'))).replaceAll('\\', '');
    assert.match(
      report,
      /^- planning · discarded by \.github\/prompts\/start-coding\.prompt\.md:9 \(workflow of the agent\)/m,
    );
    assert.match(report, /^- #\d+ .*tool:read_issue may not discard block house-rules, so nothing changed/m);
    assert.match(report, /^ {4,}text: To-dos need a due date\. Plan it first\.$/m);
    await Promise.all(['json', 'md'].map(ending => vscode.workspace.fs.delete(target(ending))));
  });
});

async function usage(): Promise<string> {
  await vscode.env.clipboard.writeText('');
  await picking([], () => vscode.commands.executeCommand('contextLifecycle.copyUsage'));
  return vscode.env.clipboard.readText();
}

/** Answers each list: the question which session with ours, the others with these labels one after the other. */
async function picking(labels: readonly string[], run: () => Thenable<unknown>): Promise<void> {
  const { window } = vscode;
  const originals = [window.showQuickPick, window.showInformationMessage] as const;
  const left = [...labels];
  const pick = async (items: readonly vscode.QuickPickItem[]) => {
    const session = items.find(({ label }) => label.endsWith(FOLDER));
    const wanted = session ? undefined : left.shift();
    return session ?? items.find(({ label }) => label === wanted);
  };
  window.showQuickPick = pick as unknown as typeof window.showQuickPick;
  window.showInformationMessage = async () => undefined;
  try {
    await run();
  } finally {
    [window.showQuickPick, window.showInformationMessage] = originals;
  }
  assert.deepEqual(left, []);
}

/** Runs the export with this answer and target, and gives the question. */
async function exporting(answer: string | undefined, target: vscode.Uri): Promise<string> {
  const { window } = vscode;
  const originals = [window.showWarningMessage, window.showSaveDialog] as const;
  let asked = '';
  window.showWarningMessage = async (message: string, { detail }: vscode.MessageOptions) => {
    asked = `${message} ${detail}`;
    return answer;
  };
  window.showSaveDialog = async () => target;
  try {
    await picking([], () => vscode.commands.executeCommand('contextLifecycle.exportSession'));
  } finally {
    [window.showWarningMessage, window.showSaveDialog] = originals;
  }
  return asked;
}

function untilDocument(ending: string): Promise<vscode.TextDocument> {
  return until(`a document ${ending} is shown`, () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.scheme === 'context-lifecycle-request' && document.uri.path.endsWith(ending)
      ? document
      : undefined;
  });
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
