import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECTION } from '../../client/names.ts';
import { SERVER_SETTINGS } from '../../client/serverSettings.ts';
import { PROBLEM_CODES } from '../../protocol/lifecycle/problem.ts';
import { SEVERITIES } from '../../server/check/finding.ts';
import { defaultSeverity } from '../../server/check/rules.ts';
import { DEFAULT_SOURCES } from '../../server/check/sources.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../server/settings.ts';
import { manifest, resolved } from './manifest.ts';

const settings = manifest.contributes.configuration.properties;
const setting = (name: string) => settings[`${SECTION}.${name}`]!;

test('the settings of the manifest are those that the code reads, and the reverse', () => {
  const read = [...SERVER_SETTINGS, 'session.autoAttach', 'session.codeLens', 'trace.server'].map(
    name => `${SECTION}.${name}`,
  );
  assert.deepEqual(Object.keys(settings).toSorted(), read.toSorted());
});

test('each setting has a default, a sentence, a scope and a place of its own', () => {
  const all = Object.entries(settings);
  for (const [name, { default: value, markdownDescription, scope, order }] of all) {
    assert.notEqual(value, undefined, name);
    assert.match(resolved(markdownDescription ?? ''), /\.$/, name);
    // What decides about connections is the person's, not a repository's (DESIGN, Trust).
    const scopes = name === `${SECTION}.session.autoAttach` ? ['machine'] : ['resource', 'window'];
    assert.ok(scopes.includes(scope ?? ''), name);
    assert.equal(typeof order, 'number', name);
  }
  assert.equal(new Set(all.map(([, { order }]) => order)).size, all.length);
});

test("the manifest's defaults are the server's", () => {
  assert.deepEqual(setting('sources').default, DEFAULT_SOURCES);
  assert.deepEqual(setting('check.exclude').default, []);
  assert.deepEqual(setting('check.severities').default, {});
  assert.equal(setting('check.workspace').default, DEFAULT_SETTINGS.workspaceDiagnostics);
  assert.equal(setting('index.maxFiles').default, DEFAULT_SETTINGS.maxFiles);
});

test('every code that an editor can show has a severity to choose, with the default of the server', () => {
  const { properties } = setting('check.severities');
  assert.deepEqual(Object.keys(properties!), PROBLEM_CODES);
  for (const code of PROBLEM_CODES) {
    assert.equal(properties![code]!.default, defaultSeverity(code), code);
    assert.deepEqual(properties![code]!.enum, SEVERITIES, code);
  }
});

test('what a person sets by the manifest is what the server understands', () => {
  const read = readSettings({
    sources: ['docs/**/*.md'],
    check: { exclude: ['docs/teach/**'], severities: { 'unknown-block': 'off' }, workspace: true },
    index: { maxFiles: 5 },
  });
  assert.deepEqual(read.problems, []);
  assert.deepEqual(read.rules, {
    sources: ['docs/**/*.md'],
    exclude: ['docs/teach/**'],
    severities: { 'unknown-block': 'off' },
  });
  assert.deepEqual([read.workspaceDiagnostics, read.maxFiles], [true, 5]);
});

test('settings that are restricted in an untrusted workspace exist', () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, 'limited');
  assert.ok(restrictedConfigurations.length > 0);
  assert.deepEqual(
    restrictedConfigurations.filter(name => !(name in settings)),
    [],
  );
});
