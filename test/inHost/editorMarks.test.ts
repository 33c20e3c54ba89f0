import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { type DemoSession, SCRIPTED_REQUESTS, startDemo } from './demoSession.ts';
import { extensionId, replaceText, showFile, until } from './kit.ts';

const allowed = [
  'contextLifecycle.discardBlock',
  'contextLifecycle.showBlockInRequest',
  'contextLifecycle.diffActiveContent',
];

suite('marks of a session in editors', () => {
  const configuration = () => vscode.workspace.getConfiguration('contextLifecycle');
  let demo: DemoSession;

  suiteSetup(async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    await configuration().update('session.codeLens', true, vscode.ConfigurationTarget.Global);
    demo = startDemo('marked');
    await demo.untilRequest('the demo has come to its end', (_, request) => request >= SCRIPTED_REQUESTS);
  });

  suiteTeardown(async () => {
    await configuration().update('session.codeLens', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await demo.remove();
  });

  test('a session of the workspace is found and attached by itself, and its state stands at the tag lines', async () => {
    const { uri } = await showFile('marked/AGENTS.md');
    // its size stands there until the agent has answered how many tokens that is
    const words = await untilLenses(uri, all => all.length === 2 && (all[0]?.includes('tokens') ?? false));
    assert.match(words[0] ?? '', /^12 active since request 1 · [~≈]?\d+ tokens$/);
    assert.match(words[1] ?? '', /^21 discarded by start-coding\.prompt\.md:\d+ at request 3$/);
  });

  test('a definition in conflict names the winner, a discard line its request, and other files stay unmarked', async () => {
    const copilot = await showFile('marked/.github/copilot-instructions.md');
    assert.match(
      (await untilLenses(copilot.uri, all => all.length > 0))[0] ?? '',
      /conflict: AGENTS\.md:12 defined it first$/,
    );
    const prompt = await showFile('marked/.github/prompts/start-coding.prompt.md');
    assert.match((await untilLenses(prompt.uri, all => all.length > 0))[0] ?? '', /discarded the block at request 3$/);
    const other = await showFile('AGENTS.md');
    assert.deepEqual(await lenses(other.uri), []);
  });

  test('the hover obeys our commands with the ID in one string, and says what the session says in another', async () => {
    const { uri } = await showFile('marked/AGENTS.md');
    await untilLenses(uri, ({ length }) => length === 2);
    for (const line of [11, 18]) {
      const strings = await hover(uri, line);
      const trusted = strings.filter(({ isTrusted }) => isTrusted);
      assert.deepEqual(
        trusted.map(({ isTrusted }) => isTrusted),
        [{ enabledCommands: allowed }],
      );
      const text = trusted[0]?.value ?? '';
      const links = [...text.matchAll(/\[([\w …]+)\]\(command:([\w.]+)\?([^)]*)\)/g)];
      assert.deepEqual(
        links.map(([, label, command, query]) => [label, command, decodeURIComponent(query ?? '')]),
        [
          ['Discard Block…', 'contextLifecycle.discardBlock', '[{"block":"house-rules"}]'],
          ['Show in Request', 'contextLifecycle.showBlockInRequest', '[{"block":"house-rules"}]'],
        ],
      );
      assert.equal(
        links.reduce((rest, [link]) => rest.replace(link, ''), text),
        ' | ',
      );
      const said = strings.find(({ value }) => value.includes('is active'));
      assert.ok(said && !said.isTrusted && !said.supportHtml, said?.value);
    }
    assert.ok((await hover(uri, 20)).some(({ value }) => value.includes('was discarded by')));
    assert.ok((await hover(uri, 3)).every(({ isTrusted }) => !isTrusted));
  });

  test('a changed block says so while it is typed, and a diff shows it beside what the session loaded', async () => {
    const document = await showFile('marked/AGENTS.md');
    const before = document.getText();
    await untilLenses(document.uri, ({ length }) => length === 2);
    await replaceText(document, before.replace('## House rules', '## House rules of mine'));
    await untilLenses(document.uri, ([first]) => first?.includes('changed since it was loaded') ?? false);
    await vscode.commands.executeCommand('contextLifecycle.diffActiveContent', { block: 'house-rules' });
    const { original, modified } = await until('the diff is open', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    assert.equal(modified.toString(), document.uri.toString());
    assert.equal(original.scheme, 'context-lifecycle-block');
    const loaded = await vscode.workspace.openTextDocument(original);
    assert.equal(loaded.getText(), before);
    await replaceText(document, document.getText().replace('# Notes for agents', '# Notes'));
    await until('the rest of the document follows', () =>
      loaded.getText() === before.replace('# Notes for agents', '# Notes') ? true : undefined,
    );
    await replaceText(document, before);
    await document.save();
    await untilLenses(document.uri, ([first]) => !first?.includes('changed'));
  });

  test('a discard by command reaches the next request of the agent, and the line says who did it', async () => {
    const { uri } = await showFile('marked/.claude/skills/release/SKILL.md');
    const gone = await untilLenses(uri, ({ length }) => length > 0);
    assert.match(gone[0] ?? '', /discarded by released\.prompt\.md/);
    const api = await showFile('marked/api.context.md');
    const before = await untilLenses(api.uri, ([first]) => first?.includes('active since request 1') ?? false);
    assert.match(demo.body(demo.requests()), /BLOCK_ID:http-api-->/);
    const asked = await answerModal('Discard', () =>
      vscode.commands.executeCommand('contextLifecycle.discardBlock', { block: 'http-api' }),
    );
    assert.match(asked, /^Discard block http-api\? It frees [~≈]?[\d,]+ tokens of each later request\./);
    const after = await untilLenses(api.uri, ([first]) => first?.includes('discarded') ?? false);
    assert.match(after[0] ?? '', /discarded by an editor at request (\d+)$/);
    const request = Number(/(\d+)$/.exec(after[0] ?? '')?.[1]);
    await demo.untilRequest(`request ${request} was sent`, (_, number) => number >= request);
    assert.match(demo.body(request - 1), /BLOCK_ID:http-api-->/);
    assert.doesNotMatch(demo.body(request), /BLOCK_ID:http-api-->/);
    assert.match(demo.body(request), /BLOCK_ID:house-rules-->/);
    assert.equal(after.length, before.length);
  });

  test('when the agent has gone the last state stays, and says that it is the last', async () => {
    const { uri } = await showFile('marked/AGENTS.md');
    await untilLenses(uri, ({ length }) => length === 2);
    await demo.stop();
    const words = await untilLenses(uri, all => all.every(text => /connection lost|has ended/.test(text)));
    assert.equal(words.length, 2);
  });
});

/** Runs what asks a question in front of everything, answers it, and gives the question. */
async function answerModal(answer: string, run: () => Thenable<unknown>): Promise<string> {
  const { window } = vscode;
  const original = window.showWarningMessage;
  let asked = '';
  window.showWarningMessage = async (message: string, options: vscode.MessageOptions, ...answers: string[]) => {
    asked = `${message} ${options.detail}`;
    return answers.find(each => each === answer);
  };
  try {
    await run();
  } finally {
    window.showWarningMessage = original;
  }
  return asked;
}

/** Each state with its line, from 1. */
async function lenses(uri: vscode.Uri): Promise<readonly string[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 1_000);
  return all
    .filter(({ command }) => command?.command === '')
    .map(({ range, command }) => `${range.start.line + 1} ${command?.title}`);
}

function untilLenses(uri: vscode.Uri, fit: (words: readonly string[]) => boolean): Promise<readonly string[]> {
  let last: readonly string[] = [];
  return until('the marks are there', async () => {
    last = await lenses(uri);
    return last.length > 0 && fit(last) ? last : undefined;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)} Last: ${JSON.stringify(last)}`);
  });
}

async function hover(uri: vscode.Uri, line: number): Promise<readonly vscode.MarkdownString[]> {
  const all = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    new vscode.Position(line, 4),
  );
  return all.flatMap(({ contents }) => contents.filter(content => content instanceof vscode.MarkdownString));
}
