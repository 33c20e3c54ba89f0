import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { extensionId, showFile, untilCodes } from './kit.ts';

suite('activation', () => {
  test('the extension is active after a Markdown file was shown', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, 'the extension is there');
    await showFile('AGENTS.md');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  test('every command of the manifest is there', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    await extension?.activate();
    const manifest = extension?.packageJSON as Manifest;
    const registered = new Set(await vscode.commands.getCommands());
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.ok(declared.includes('contextLifecycle.restartServer'));
    assert.deepEqual(
      declared.filter(command => !registered.has(command)),
      [],
    );
  });

  test('a file with mistakes gets its diagnostics', async () => {
    const document = await showFile('problems.md');
    await untilCodes(document.uri, ['malformed-tag', 'nested-block', 'unexpected-block-end', 'unknown-block']);
  });
});

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}
