import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { inWorkspace, ownDiagnostics, showFile, showNewFile, until, untilCodes } from './kit.ts';

const block = (id: string) => `<!--BLOCK_ID:${id}-->\nfirst line\nsecond line\n<!--/BLOCK_ID:${id}-->\n`;
const at = (line: number, character: number) => new vscode.Position(line, character);

suite('language features', () => {
  test('hover says what a tag does and how large its block is', async () => {
    const { uri } = await showFile('AGENTS.md');
    const text = await until('there is a hover', async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        at(2, 15),
      );
      const contents = hovers.flatMap(hover => hover.contents).map(content => (content as vscode.MarkdownString).value);
      return contents.find(content => content.includes('style'));
    });
    assert.match(text, /2 lines/);
  });

  test('editor-bugs 35: completion after a hyphen replaces the whole ID', async () => {
    const { uri } = await showNewFile('complete.md', '<!--DISCARD_BLOCK:release-\n');
    const label = await until('release-notes is offered', async () => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        at(0, 26),
      );
      return list.items.find(item => textOf(item).includes('release-notes'));
    });
    const range = label.range instanceof vscode.Range ? label.range : label.range?.inserting;
    assert.ok(range, 'the item names its own range');
    const line = '<!--DISCARD_BLOCK:release-';
    const completed = line.slice(0, range.start.character) + textOf(label) + line.slice(range.end.character);
    assert.match(completed, /^<!--DISCARD_BLOCK:release-notes(-->)?$/);
  });

  test('rename changes the ID in every source of the workspace and refuses illegal and taken IDs in one sentence', async () => {
    const { uri } = await showNewFile('rename.context.md', `${block('rename-me')}${block('taken')}`);
    await showNewFile('rename-user.context.md', '<!--DISCARD_BLOCK:rename-me-->\n');
    const rename = (name: string) =>
      vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        uri,
        at(0, 16),
        name,
      );
    const edit = await until('the discard in the other file is known', async () => {
      const found = await rename('renamed');
      return found.entries().length === 2 ? found : undefined;
    });
    const texts = edit.entries().flatMap(([, edits]) => edits.map(({ newText }) => newText));
    assert.deepEqual(texts, ['renamed', 'renamed', 'renamed']);
    await assert.rejects(Promise.resolve(rename('not legal')), (error: Error) => /\S.*\.$/.test(error.message));
    await assert.rejects(Promise.resolve(rename('taken')), /taken/);
  });

  test('a quick fix mends a near miss', async () => {
    const document = await showNewFile('fix.md', '<!-- Ephemeral -->\n');
    await untilCodes(document.uri, ['malformed-tag']);
    const range = ownDiagnostics(document.uri)[0]?.range;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
      10,
    );
    const fix = actions.find(action => action.isPreferred);
    assert.ok(fix?.edit, `a fix with its edit is offered: ${JSON.stringify(actions)}`);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.equal(document.getText(), '<!--ephemeral-->\n');
    await untilCodes(document.uri, []);
  });

  test('editor-bugs 31, 32: the outline shows blocks beside headings, and nothing twice', async () => {
    const { uri } = await showFile('AGENTS.md');
    const names = await until('both providers answer', async () => {
      const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
        'vscode.executeDocumentSymbolProvider',
        uri,
      );
      const flat = symbols.flatMap(symbol => [symbol, ...symbol.children]).map(({ name }) => name);
      return flat.some(name => name.includes('style')) && flat.some(name => name.startsWith('#')) ? flat : undefined;
    });
    assert.equal(names.filter(name => name.includes('style')).length, 1, names.join());
    assert.equal(names.filter(name => name.startsWith('#')).length, 1, names.join());
  });

  test('a block can be folded', async () => {
    const { uri } = await showFile('AGENTS.md');
    const fold = await until('the block folds', async () => {
      const ranges = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
        'vscode.executeFoldingRangeProvider',
        uri,
      );
      return ranges.find(({ start, kind }) => start === 2 && kind === vscode.FoldingRangeKind.Region);
    });
    assert.equal(fold.end, 5);
  });

  test('definition and references lead across files', async () => {
    const { uri } = await showNewFile('goes.context.md', '<!--DISCARD_BLOCK:style-->\n');
    const definition = await until('the definition is found', async () => {
      const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
        'vscode.executeDefinitionProvider',
        uri,
        at(0, 20),
      );
      return found[0];
    });
    const target = 'targetUri' in definition ? definition.targetUri : definition.uri;
    assert.equal(target.toString(), inWorkspace('AGENTS.md').toString());
    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      uri,
      at(0, 20),
    );
    const places = references
      .map(({ uri: where, range }) => `${where.path.split('/').at(-1)}:${range.start.line}`)
      .sort();
    assert.deepEqual(places, ['AGENTS.md:2', 'AGENTS.md:5', 'goes.context.md:0']);
  });
});

function textOf({ insertText, label }: vscode.CompletionItem): string {
  if (insertText === undefined) return typeof label === 'string' ? label : label.label;
  return typeof insertText === 'string' ? insertText : insertText.value;
}
