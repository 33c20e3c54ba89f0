import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unexpectedImports } from '../../scripts/build/builtins.ts';
import { bundle } from '../../scripts/build/bundles.ts';
import { entries } from '../../scripts/build/entries.ts';

test('editor-bugs I: the browser client asks its host for nothing but the editor', async () => {
  const entry = entries.find(({ source }) => source === 'client/browserMain.ts');
  assert.ok(entry);
  const built = await bundle(entry);
  assert.deepEqual(unexpectedImports(built), []);
  const imports = Object.values(built.metafile.outputs).flatMap(output => output.imports.map(({ path }) => path));
  assert.deepEqual([...new Set(imports)], ['vscode']);
});
