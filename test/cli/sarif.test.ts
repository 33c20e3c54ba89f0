import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { Log } from 'sarif';
import { FINDING_CODES } from '../../server/check/finding.ts';
import { block, folderOf, run } from './cliKit.ts';

/** The official schema, as npm's @microsoft/jest-sarif ships it (MIT). It says draft-04 but uses nothing that draft-07 changed. */
function validator() {
  const path = new URL('../fixtures/sarif-2.1.0-rtm.5.json', import.meta.url);
  const { id, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  assert.match(id, /sarif-2\.1\.0/);
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  return ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
}

async function sarifOf(cwd: string, ...names: string[]): Promise<Log> {
  const { stdout } = await run(['check', '--format', 'sarif', ...names], { cwd });
  const log: Log = JSON.parse(stdout);
  const validate = validator();
  assert.ok(validate(log), JSON.stringify(validate.errors, undefined, 2));
  return log;
}

test('the schema of the test refuses what is no SARIF', () => {
  const validate = validator();
  assert.equal(validate({ version: '2.1.0' }), false);
  assert.equal(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, columnKind: 'bytes' }] }), false);
});

test('SARIF 2.1.0: valid, with rules, places, related places, repairs and failures', async t => {
  const cwd = folderOf(t, {
    'a b#c.md': `😀\n${block('a')}${block('a')}<!--ephemeral--> \n`,
    'AGENTS.md': block('x'),
    'deep/GEMINI.md': block('x'),
  });
  const log = await sarifOf(cwd, '.', 'gone.md');
  const [sarifRun] = log.runs;
  assert.equal(sarifRun?.columnKind, 'utf16CodeUnits');
  assert.deepEqual(sarifRun?.originalUriBaseIds, { '%SRCROOT%': { uri: `${pathToFileURL(cwd).href}/` } });
  assert.deepEqual(
    sarifRun?.tool.driver.rules?.map(({ id }) => id),
    FINDING_CODES,
  );
  assert.ok(sarifRun?.tool.driver.rules?.every(({ id, helpUri }) => helpUri?.endsWith(`docs/diagnostics.md#${id}`)));
  assert.deepEqual(
    sarifRun?.invocations?.map(({ executionSuccessful }) => executionSuccessful),
    [false],
  );
  const results = sarifRun?.results ?? [];
  assert.deepEqual(results.map(({ ruleId, level }) => `${ruleId} ${level}`).sort(), [
    'block-id-conflict warning',
    'duplicate-block-id error',
    'duplicate-block-id error',
    'malformed-tag warning',
  ]);
  assert.ok(results.every(({ ruleId, ruleIndex }) => FINDING_CODES[ruleIndex ?? -1] === ruleId));
  const duplicate = results.find(({ ruleId }) => ruleId === 'duplicate-block-id');
  assert.deepEqual(duplicate?.locations?.[0]?.physicalLocation, {
    artifactLocation: { uri: 'a%20b%23c.md', uriBaseId: '%SRCROOT%' },
    region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 18 },
  });
  assert.equal(duplicate?.relatedLocations?.[0]?.physicalLocation?.region?.startLine, 4);
  const conflict = results.find(({ ruleId }) => ruleId === 'block-id-conflict');
  assert.deepEqual(conflict?.locations?.[0]?.physicalLocation?.artifactLocation?.uri, 'deep/GEMINI.md');
  assert.deepEqual(conflict?.relatedLocations?.[0]?.physicalLocation?.artifactLocation?.uri, 'AGENTS.md');
  const repair = results.find(({ ruleId }) => ruleId === 'malformed-tag')?.fixes?.[0]?.artifactChanges[0];
  assert.equal(repair?.artifactLocation.uri, 'a%20b%23c.md');
  assert.equal(repair?.replacements.length, 1);
});

test('SARIF addresses of names that need escapes', async t => {
  const names = ['C:/x.md', 'a%20b.md', 'a\\b.md', 'x#?&.md', 'é 日本 😀.md'];
  const log = await sarifOf(
    folderOf(t, Object.fromEntries(names.map(name => [name, '<!--BLOCK_ID:a-->\n']))),
    ...names,
  );
  const addresses = log.runs[0]?.results?.map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation);
  assert.deepEqual(
    addresses?.map(address => [decodeURIComponent(address?.uri ?? ''), address?.uriBaseId]),
    names.map(name => [name, '%SRCROOT%']),
  );
  assert.ok(addresses?.every(address => /^[\w%./~!'()*-]+$/.test(address?.uri ?? '')));
});

test('SARIF without findings is valid too', async t => {
  const log = await sarifOf(folderOf(t, { 'a.md': '# A\n' }));
  assert.deepEqual(log.runs[0]?.results, []);
});
