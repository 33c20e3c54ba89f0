import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { filesUnder } from '../../scripts/build/paths.ts';
import { runTool } from '../../scripts/build/tools.ts';
import { emitDeclarations } from '../../scripts/build/types.ts';
import { maxVsixKilobytes } from '../../scripts/package/extension.ts';
import { makeConsumer } from './consumer.ts';
import { zipNames } from './zipNames.ts';

const consumer = await makeConsumer();
after(() => consumer.remove());

const vsixFiles = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/THIRD-PARTY-NOTICES.txt',
  'extension/dist/budgetPage.js',
  'extension/dist/cli.js',
  'extension/dist/client.cjs',
  'extension/dist/client.web.cjs',
  'extension/dist/server.js',
  'extension/dist/server.web.js',
  'extension/dist/tokenWorker.js',
  'extension/language-configuration.json',
  'extension/media/budget.css',
  'extension/media/icon.png',
  'extension/media/marks/absent.dark.svg',
  'extension/media/marks/absent.light.svg',
  'extension/media/marks/active.dark.svg',
  'extension/media/marks/active.light.svg',
  'extension/media/marks/conflict.dark.svg',
  'extension/media/marks/conflict.light.svg',
  'extension/media/marks/denied.dark.svg',
  'extension/media/marks/denied.light.svg',
  'extension/media/marks/discarded.dark.svg',
  'extension/media/marks/discarded.light.svg',
  'extension/media/marks/discards.dark.svg',
  'extension/media/marks/discards.light.svg',
  'extension/media/marks/drifted.dark.svg',
  'extension/media/marks/drifted.light.svg',
  'extension/media/marks/kept.dark.svg',
  'extension/media/marks/kept.light.svg',
  'extension/media/marks/refused.dark.svg',
  'extension/media/marks/refused.light.svg',
  'extension/media/view.svg',
  'extension/media/walkthrough/connectSession.svg',
  'extension/media/walkthrough/fixNearMiss.svg',
  'extension/media/walkthrough/openSample.svg',
  'extension/media/walkthrough/seeNearMiss.svg',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/schemas/config.schema.json',
  'extension/snippets/tags.json',
  'extension/syntaxes/context-lifecycle-in-comment.tmLanguage.json',
  'extension/syntaxes/context-lifecycle-near-miss.tmLanguage.json',
  'extension/syntaxes/context-lifecycle.tmLanguage.json',
  'extension/syntaxes/context-markdown.tmLanguage.json',
];

const npmFiles = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/adapter.js',
  'dist/aiSdk.js',
  'dist/cli.js',
  'dist/opencode.js',
  'dist/pi.js',
  'dist/protocol.js',
  'dist/server.js',
  'dist/tokenWorker.js',
  'package.json',
  'schemas/config.schema.json',
];

function shown(title: string, files: readonly string[], archive: string): string {
  const kilobytes = (statSync(archive).size / 1000).toFixed(1);
  return [`${title} (${kilobytes} kB):`, ...files.map(file => `  ${file}`)].join('\n');
}

test('the .vsix holds what the editor needs and nothing else', context => {
  const files = zipNames(consumer.vsix);
  context.diagnostic(shown('.vsix', files, consumer.vsix));
  assert.deepEqual(files, vsixFiles);
  assert.ok(statSync(consumer.vsix).size <= maxVsixKilobytes * 1000);
});

test('the npm package holds what programs need and nothing else', async context => {
  const files = filesUnder(consumer.installed);
  context.diagnostic(shown('npm package', files, consumer.tarball));
  const declarations = (await emitDeclarations()).map(file => `dist/${file}`);
  assert.deepEqual(files, [...npmFiles, ...declarations].sort());
});

test('each declaration finds what it imports in the package', () => {
  const folder = join(consumer.installed, 'dist/types');
  for (const file of filesUnder(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/'(\.[^']+)\.ts'/g)) {
      assert.ok(existsSync(`${join(folder, dirname(file), path)}.d.ts`), `${file} imports ${path}`);
    }
  }
});

test('installing the npm package brings no other package along', () => {
  const lockfile = JSON.parse(readFileSync(join(consumer.folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  assert.deepEqual(Object.keys(lockfile.packages), ['', 'node_modules/context-lifecycle']);
});

test('the published manifest speaks to npm only', () => {
  const manifest = JSON.parse(readFileSync(join(consumer.installed, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  for (const field of [
    'private',
    'scripts',
    'contributes',
    'main',
    'browser',
    'devDependencies',
    'optionalDependencies',
  ]) {
    assert.equal(manifest[field], undefined, field);
  }
  assert.match(String(manifest['description']), /^[^%]{20,}$/);
  assert.deepEqual(manifest['engines'], { node: '>=20.19.0' });
});

test('publint has nothing to say about the tarball', async () => {
  const { exitCode, output } = await runTool('publint', ['run', consumer.tarball, '--strict']);
  assert.equal(exitCode, 0, output);
});

test('the types are right however the package is imported (attw)', async () => {
  // An ES module for Node 20.19 and later: `require` of it works there, and older resolvers know no `exports`.
  const args = [consumer.tarball, '--profile', 'esm-only', '--no-color'];
  const { exitCode, output } = await runTool('@arethetypeswrong/cli', args, 'attw');
  assert.equal(exitCode, 0, output);
});
