import assert from 'node:assert/strict';
import { test } from 'node:test';
import { npmManifest } from '../../scripts/package/npmManifest.ts';

const repository = {
  name: 'x',
  description: '%extension.description%',
  private: true,
  main: './dist/client.cjs',
  scripts: { start: 'node x' },
  contributes: {},
  engines: { node: '>=20.19.0', vscode: '^1.118.0' },
  devDependencies: { a: '1.0.0' },
  optionalDependencies: { b: '1.0.0' },
};

test('the npm manifest keeps what npm reads and fills in the texts', () => {
  assert.deepEqual(npmManifest(repository, { 'extension.description': 'Says what it is.' }), {
    name: 'x',
    description: 'Says what it is.',
    engines: { node: '>=20.19.0' },
  });
});

test('a text that package.nls.json lacks is an error that names it', () => {
  assert.throws(() => npmManifest(repository, {}), /no text for %extension\.description%/);
});
