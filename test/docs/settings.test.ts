import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_SOURCES } from '../../server/check/sources.ts';
import { readPage, root, sectionsOf, tableRows } from './pages.ts';

interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
const { properties } = manifest.contributes.configuration;
const page = readPage('docs/settings.md');

test('docs/settings.md has every setting of the manifest with its default', () => {
  const rows = tableRows(page).map(([name, value]) => [name, value] as const);
  const expected = Object.entries(properties).map(([name, { default: value }]) => [
    `\`${name}\``,
    name === 'contextLifecycle.sources' ? 'see below' : `\`${JSON.stringify(value)}\``,
  ]);
  assert.deepEqual(rows, expected);
  const headings = sectionsOf(page).filter(({ level }) => level === 2);
  assert.deepEqual(
    headings.map(({ title }) => title),
    Object.keys(properties),
  );
});

test('docs/settings.md lists the default context sources in load order', () => {
  const listed = [...page.matchAll(/^\d+\. `(.+)`$/gm)].map(([, glob]) => glob);
  assert.deepEqual(listed, DEFAULT_SOURCES);
  assert.deepEqual(listed, properties['contextLifecycle.sources']?.default);
});

test('the README lists every setting, and every command of the palette', () => {
  const rows = tableRows(readPage('README.md')).map(([name = '']) => name);
  assert.deepEqual(
    rows.filter(name => name.startsWith('`contextLifecycle.')),
    Object.keys(properties).map(name => `\`${name}\``),
  );
  const hidden = new Set(
    manifest.contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  const text = (key: string): string => texts[key.slice(1, -1)] ?? '';
  assert.deepEqual(
    new Set(rows.filter(name => name.startsWith('Context Lifecycle: '))),
    new Set(
      manifest.contributes.commands
        .filter(({ command }) => !hidden.has(command))
        .map(({ category, title }) => `${text(category)}: ${text(title)}`),
    ),
  );
});

test('the changelog starts with the version of the manifest', () => {
  const [version] = sectionsOf(readPage('CHANGELOG.md')).filter(({ level }) => level === 2);
  assert.equal(version?.title, manifest.version);
});
