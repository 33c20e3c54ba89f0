import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { product } from '../../protocol/product.ts';
import { codesOf, inWorkspace, ownDiagnostics, replaceText, showNewFile, untilCodes } from './kit.ts';

suite('diagnostics', () => {
  test('a diagnostic has a code with a link, a severity, an exact range and the place that explains it', async () => {
    const text = '<!--BLOCK_ID:same-->\n<!--/BLOCK_ID:same-->\n<!--BLOCK_ID:same-->\n<!--/BLOCK_ID:same-->\n';
    const { uri } = await showNewFile('duplicate.md', text);
    await untilCodes(uri, ['duplicate-block-id', 'duplicate-block-id']);
    const [first, second] = ownDiagnostics(uri);
    assert.ok(first && second);
    assert.equal(second.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(second.range.start.line, 2);
    assert.ok(typeof second.code === 'object');
    assert.equal(second.code.target.toString(true), `${product.diagnosticDocs}#duplicate-block-id`);
    assert.equal(second.relatedInformation?.[0]?.location.range.start.line, 0);
  });

  test('editor-bugs 20: after 100 fast edits the list is right, and it was never empty in between', async () => {
    const document = await showNewFile('fast.md', '<!--BLOCK_ID:open-->\n');
    await untilCodes(document.uri, ['unclosed-block']);
    const seen: number[] = [];
    const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some(uri => uri.toString() === document.uri.toString())) seen.push(codesOf(document.uri).length);
    });
    for (let count = 1; count <= 100; count++) {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(document.lineCount - 1, 0), `line ${count}\n`);
      assert.ok(await vscode.workspace.applyEdit(edit));
    }
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(document.lineCount - 1, 0), '<!--/BLOCK_ID:other-->\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await untilCodes(document.uri, ['unclosed-block', 'mismatched-block-end']);
    subscription.dispose();
    assert.ok(seen.length > 0, 'at least the last change was announced');
    assert.deepEqual(
      seen.filter(count => count === 0),
      [],
    );
    assert.equal(ownDiagnostics(document.uri)[1]?.range.start.line, 101);
  });

  test('a mended line loses its squiggle', async () => {
    const document = await showNewFile('mended.md', '<!-- ephemeral -->\n');
    await untilCodes(document.uri, ['malformed-tag']);
    await replaceText(document, '<!--ephemeral-->\n');
    await untilCodes(document.uri, []);
  });

  test('editor-bugs 16: a closed file has no diagnostics', async () => {
    const { uri } = await showNewFile('closed.md', '<!-- ephemeral -->\n');
    await untilCodes(uri, ['malformed-tag']);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await untilCodes(uri, []);
  });

  test('editor-bugs 17: after a rename the old name has no diagnostics and the new one has them', async () => {
    const { uri } = await showNewFile('old-name.md', '<!-- ephemeral -->\n');
    await untilCodes(uri, ['malformed-tag']);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, inWorkspace('new-name.md'));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await untilCodes(inWorkspace('new-name.md'), ['malformed-tag']);
    await untilCodes(uri, []);
  });

  test('a deleted file has no diagnostics', async () => {
    const { uri } = await showNewFile('deleted.md', '<!-- ephemeral -->\n');
    await untilCodes(uri, ['malformed-tag']);
    await vscode.workspace.fs.delete(uri);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilCodes(uri, []);
  });

  test('another language gets no diagnostics, and gets them when it becomes Markdown (editor-bugs 46)', async () => {
    const document = await showNewFile('language.txt', '<!-- ephemeral -->\n');
    const markdown = await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    await untilCodes(markdown.uri, ['malformed-tag']);
    const plain = await vscode.languages.setTextDocumentLanguage(markdown, 'plaintext');
    await untilCodes(plain.uri, []);
  });

  test('editor-bugs 25: a source that changes outside the editor changes the diagnostics of an open file', async () => {
    const { uri } = await showNewFile('discards.md', '<!--DISCARD_BLOCK:from-outside-->\n');
    await untilCodes(uri, ['unknown-block']);
    const outside = inWorkspace('outside.context.md').fsPath;
    writeFileSync(outside, '<!--BLOCK_ID:from-outside-->\ntext\n<!--/BLOCK_ID:from-outside-->\n');
    await untilCodes(uri, []);
    writeFileSync(outside, 'no block any more\n');
    await untilCodes(uri, ['unknown-block']);
  });
});
