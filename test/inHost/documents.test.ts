import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { codesOf, inWorkspace, ownDiagnostics, replaceText, showNewFile, until, untilCodes } from './kit.ts';

suite('documents that are no plain file', () => {
  suiteTeardown(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  test('editor-bugs 40, 41: the other side of a git diff gets nothing, and the file keeps its diagnostics', async () => {
    const document = await showNewFile('diffed.md', '<!-- ephemeral -->\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: inWorkspace('.').fsPath,
        stdio: 'pipe',
      });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    await replaceText(document, '<!-- ephemeral -->\n<!--BLOCK_ID:open-->\n');
    await document.save();
    await untilCodes(document.uri, ['malformed-tag', 'unclosed-block']);
    const gitApi = await gitExtension();
    await gitApi.openRepository(inWorkspace('.'));
    const title = 'diffed.md (committed and now)';
    await vscode.commands.executeCommand('vscode.diff', gitApi.toGitUri(document.uri, 'HEAD'), document.uri, title);
    const committed = await until('the committed side is open', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'git' && uri.path === document.uri.path),
    );
    assert.equal(committed.getText(), '<!-- ephemeral -->\n');
    assert.equal(committed.languageId, 'markdown');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      committed.uri,
      new vscode.Range(0, 0, 0, 18),
      vscode.CodeActionKind.QuickFix.value,
    );
    assert.deepEqual(actions, []);
    // an answer for the file itself came after the git document was open, so the git document had its turn
    await replaceText(document, '<!--BLOCK_ID:open-->\n');
    await untilCodes(document.uri, ['unclosed-block']);
    assert.deepEqual(codesOf(committed.uri), []);
    await document.save();
  });

  test('editor-bugs 43: an untitled document has the features of a single file', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'markdown',
      content: '<!-- ephemeral -->\n<!--ephemeral-->\n',
    });
    await vscode.window.showTextDocument(document);
    assert.equal(document.uri.scheme, 'untitled');
    await untilCodes(document.uri, ['malformed-tag']);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(1, 8),
    );
    assert.ok(hovers.length > 0);
    await replaceText(document, '');
  });

  test('editor-bugs 44: each cell of a notebook is a document of its own', async () => {
    const block = '<!--BLOCK_ID:cell-->\ntext\n<!--/BLOCK_ID:cell-->';
    const cells = [block, block, '<!--/BLOCK_ID:cell-->'].map(source => ({
      cell_type: 'markdown',
      metadata: {},
      source,
    }));
    const uri = inWorkspace('cells.ipynb');
    const file = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await vscode.workspace.fs.writeFile(uri, Buffer.from(file));
    await vscode.commands.executeCommand('vscode.openWith', uri, 'jupyter-notebook');
    const notebook = await until('the notebook is open', () =>
      vscode.workspace.notebookDocuments.find(document => document.uri.toString() === uri.toString()),
    );
    const [first, second, third] = notebook.getCells().map(({ document }) => document.uri);
    assert.ok(first && second && third);
    await untilCodes(third, ['unexpected-block-end']);
    assert.equal(ownDiagnostics(third)[0]?.range.start.line, 0);
    assert.deepEqual([...codesOf(first), ...codesOf(second)], []);
  });
});

/** The part of the built-in git extension's interface that is used here. */
interface GitApi {
  openRepository(root: vscode.Uri): Promise<unknown>;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

async function gitExtension(): Promise<GitApi> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  assert.ok(extension, 'the built-in git extension is there');
  return (await extension.activate()).getAPI(1);
}
