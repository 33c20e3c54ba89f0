import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ownDiagnostics, showNewFile, until, untilCodes } from './kit.ts';
import { serverProcess } from './serverProcess.ts';

suite('settings', () => {
  const configuration = () => vscode.workspace.getConfiguration('contextLifecycle');
  const set = (name: string, value: unknown) =>
    configuration().update(name, value, vscode.ConfigurationTarget.Workspace);

  teardown(async () => {
    await set('check.severities', undefined);
    await set('sources', undefined);
  });

  test('editor-bugs 59: a changed severity counts at once, and the server goes on running', async () => {
    const { uri } = await showNewFile('severity.md', '<!-- ephemeral -->\n<!--BLOCK_ID:open-->\n');
    await untilCodes(uri, ['malformed-tag', 'unclosed-block']);
    const server = serverProcess();
    await set('check.severities', { 'malformed-tag': 'off', 'unclosed-block': 'note' });
    await untilCodes(uri, ['unclosed-block']);
    await until('the severity is a note', () =>
      ownDiagnostics(uri)[0]?.severity === vscode.DiagnosticSeverity.Information ? true : undefined,
    );
    await set('check.severities', undefined);
    await untilCodes(uri, ['malformed-tag', 'unclosed-block']);
    assert.equal(serverProcess(), server);
  });

  test('changed sources count at once', async () => {
    await showNewFile('rules.txt.md', '<!--BLOCK_ID:from-rules-->\ntext\n<!--/BLOCK_ID:from-rules-->\n');
    const { uri } = await showNewFile('uses-rules.md', '<!--DISCARD_BLOCK:from-rules-->\n');
    await untilCodes(uri, ['unknown-block']);
    await set('sources', ['**/rules.txt.md']);
    await untilCodes(uri, []);
    await set('sources', undefined);
    await untilCodes(uri, ['unknown-block']);
  });
});
