import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { product } from '../../protocol/product.ts';
import { inRepository } from '../../scripts/build/paths.ts';

interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly publisher: string;
  readonly repository: { readonly url: string };
  readonly engines: { readonly vscode: string };
  readonly files?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lockfile {
  readonly version: string;
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly resolved?: string }>>;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(inRepository(path), 'utf8'));
}

const manifest = readJson('package.json') as Manifest;
/** An alias names the package in front of its version. */
const exactVersion = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const installedFolders = ['.', 'test/host', 'test/agents', 'test/agents/all'].filter(folder =>
  existsSync(inRepository(folder, 'package.json')),
);

test('manifest, constants, lockfile and change log name the same version', () => {
  assert.equal(product.version, manifest.version);
  assert.equal((readJson('package-lock.json') as Lockfile).version, manifest.version);
  const newest = /^## \[?(\d+\.\d+\.\d+[^\s\]]*)/m.exec(readFileSync(inRepository('CHANGELOG.md'), 'utf8'))?.[1];
  assert.equal(newest, manifest.version);
});

test('name, publisher and repository are those of protocol/product.ts', () => {
  assert.equal(manifest.name, product.name);
  assert.equal(manifest.displayName, product.displayName);
  assert.equal(manifest.publisher, product.publisher);
  assert.equal(manifest.repository.url, `git+${product.repository}.git`);
});

test('engines.vscode equals @types/vscode, so no newer API can be used by mistake', () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies?.['@types/vscode']}`);
});

test('the host is at least what vscode-languageclient asks for, so its own check can be left out', () => {
  const client = readJson('node_modules/vscode-languageclient/package.json') as Manifest;
  const minor = ({ engines }: Manifest): number => Number(/^\^1\.(\d+)\.\d+$/.exec(engines.vscode)?.[1]);
  assert.ok(minor(manifest) >= minor(client), `${manifest.engines.vscode} is older than ${client.engines.vscode}`);
});

test('the manifest has no files field, which vsce refuses beside .vscodeignore', () => {
  assert.equal(manifest.files, undefined);
});

test('the package has no dependencies: everything is bundled', () => {
  assert.equal(manifest.dependencies, undefined);
});

for (const folder of installedFolders) {
  test(`every version in ${folder}/package.json is exact`, () => {
    const { dependencies, devDependencies, optionalDependencies } = readJson(`${folder}/package.json`) as Manifest;
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = versions.filter(([, version]) => !exactVersion.test(version) && !version.startsWith('file:'));
    assert.deepEqual(loose, []);
  });

  test(`${folder}/package-lock.json names no registry, so any mirror can serve it`, () => {
    const { packages } = readJson(`${folder}/package-lock.json`) as Lockfile;
    const bound = Object.entries(packages).filter(
      ([, { resolved }]) => resolved !== undefined && /^\w+:\/\//.test(resolved),
    );
    assert.deepEqual(bound, []);
    assert.ok(Object.keys(packages).length > 1);
  });
}
