import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { unexpectedImports } from '../../scripts/build/builtins.ts';
import { bundle } from '../../scripts/build/bundles.ts';
import type { Entry } from '../../scripts/build/entries.ts';
import { noticesOf } from '../../scripts/build/notices.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { runNode } from '../../scripts/build/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'build-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function entryOf(code: string, rest: Partial<Entry> = {}): Entry {
  const source = join(folder, 'source.ts');
  writeFileSync(source, code);
  const browser: Entry = {
    source,
    output: 'planted.js',
    format: 'iife',
    runsOn: 'browser',
    external: [],
    command: false,
    library: false,
    maxKilobytes: 10,
  };
  return { ...browser, ...rest };
}

test('a browser bundle that imports a Node built-in is refused', async () => {
  await assert.rejects(bundle(entryOf("import { readFileSync } from 'node:fs';\nreadFileSync('x');\n")), /node:fs/);
});

test('a browser bundle that only tries to require a Node built-in is noticed', async () => {
  const code = "declare const require: (name: string) => unknown;\ntry {\n  require('fs');\n} catch {}\nexport {};\n";
  assert.deepEqual(unexpectedImports(await bundle(entryOf(code))), ['fs']);
});

test('a Node bundle may import built-ins, and modules that its host provides', async () => {
  const code = "import { sep } from 'node:path';\nimport * as vscode from 'vscode';\nexport const x = [sep, vscode];\n";
  const entry = entryOf(code, { format: 'cjs', runsOn: 'node', external: ['vscode'] });
  assert.deepEqual(unexpectedImports(await bundle(entry)), []);
});

test('the source map leads to the sources', async () => {
  const { sourceMap } = await bundle(entryOf("console.log('found');\n"));
  const { sources, sourcesContent } = JSON.parse(sourceMap) as { sources: string[]; sourcesContent: string[] };
  assert.match(sources.join(), /source\.ts$/);
  assert.deepEqual(sourcesContent, ["console.log('found');\n"]);
});

test('an entry whose file is missing fails the build', async () => {
  await assert.rejects(bundle({ ...entryOf(''), source: 'protocol/missing.ts' }), /missing\.ts/);
});

test('what esbuild warns about fails the build', async () => {
  await assert.rejects(
    bundle(entryOf('export const x = typeof globalThis === "nubmer";\n')),
    /esbuild warns about dist\/planted\.js/,
  );
});

test('a command runs from a module with CommonJS inside, and starts with one shebang', async () => {
  const library = join(folder, 'library.cjs');
  writeFileSync(library, "exports.separator = require('path').sep;\n");
  for (const first of ['', '#!/usr/bin/env node\n']) {
    const code = `${first}import { separator } from './library.cjs';\nconsole.log(separator);\n`;
    const built = await bundle(entryOf(code, { format: 'esm', runsOn: 'node', command: true }));
    assert.equal(built.code.split('#!/usr/bin/env node').length, 2);
    assert.ok(built.code.startsWith('#!'));
    const file = join(folder, 'planted.mjs');
    writeFileSync(file, built.code);
    assert.deepEqual((await runNode([file])).output.trim(), join('a', 'b').slice(1, 2));
  }
});

test('notices name each package with its licence, and none that left no byte', async () => {
  const library = inRepository('node_modules', 'vscode-uri');
  const code = `import { URI } from ${JSON.stringify(library)};\nconsole.log(URI.file('x'));\n`;
  const notices = noticesOf([(await bundle(entryOf(code))).metafile]);
  assert.match(notices, /vscode-uri \d[^\n]* \(MIT\)\n\n[^]*Permission is hereby granted/);
  const { metafile } = await bundle(entryOf(`import { URI } from ${JSON.stringify(library)};\nURI;\nexport {};\n`));
  assert.doesNotMatch(noticesOf([metafile]), /vscode-uri/);
});

test('the packed vocabulary is the tokenizer’s, and a bundle unpacks it by itself', async () => {
  const ranks = inRepository('node_modules/gpt-tokenizer/esm/bpeRanks/o200k_base.js');
  const { default: vocabulary } = (await import(pathToFileURL(ranks).href)) as { readonly default: readonly unknown[] };
  const code = `import ranks from ${JSON.stringify(ranks)};\nconsole.log(JSON.stringify(ranks));\n`;
  const { code: packed } = await bundle(entryOf(code, { format: 'esm', runsOn: 'node', output: 'packed.js' }));
  const file = join(folder, 'packed.mjs');
  writeFileSync(file, packed);
  const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8', maxBuffer: 20_000_000 });
  assert.deepEqual(JSON.parse(stdout), vocabulary);
  assert.ok(packed.length < JSON.stringify(vocabulary).length);
});
