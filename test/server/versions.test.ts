import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LspProcess } from './lspProcess.ts';

for (const profile of ['vscode', 'minimal'] as const) {
  test(`a change that does not raise the version counts all the same (${profile})`, async () => {
    await using server = await LspProcess.start({ profile });
    const uri = 'untitled:a.md';
    const shown = async (count: number): Promise<void> => {
      if (profile === 'vscode') {
        assert.equal((await server.pull(uri)).items.length, count);
      } else {
        await server.published(uri, ({ diagnostics }) => diagnostics.length === count);
      }
    };
    await server.open(uri, ' <!--ephemeral-->\n');
    await shown(1);
    for (const [text, count] of [
      [' <!--ephemeral-->\n <!--ephemeral-->\n', 2],
      ['text\n', 0],
    ] as const) {
      await server.notify('textDocument/didChange', { textDocument: { uri, version: 1 }, contentChanges: [{ text }] });
      await shown(count);
    }
  });
}
