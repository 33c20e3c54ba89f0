import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';
import { lawRuns, lawSeed } from '../../scripts/check/lawSeed.ts';

/** `npm run laws` without npm. */
function laws(env: Readonly<Record<string, string>>, ...parts: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const file = inRepository('scripts/laws.ts');
  return spawnSync(process.execPath, [file, ...parts], { env: { ...rest, ...env }, encoding: 'utf8' });
}

test('laws begin with the same seed in every run, and with the one that was asked for', t => {
  const folder = mkdtempSync(join(tmpdir(), 'laws-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.test.mts');
  const script = join(folder, 'script.mts');
  writeFileSync(
    file,
    `import { test } from 'node:test';
    import { readConfigureGlobal } from ${JSON.stringify(import.meta.resolve('fast-check'))};
    test('seed', () => { throw new Error('the seed is ' + readConfigureGlobal().seed); });`,
  );
  writeFileSync(
    script,
    `import { runTestFiles } from ${JSON.stringify(inRepository('scripts/check/unitTests.ts'))};
    console.log((await runTestFiles([${JSON.stringify(file)}])).output);`,
  );
  const { NODE_TEST_CONTEXT: _, LAW_SEED: __, ...env } = process.env;
  const seedOf = (asked: Readonly<Record<string, string>>): string | undefined => {
    const { stdout } = spawnSync(process.execPath, [script], { env: { ...env, ...asked }, encoding: 'utf8' });
    return /the seed is (\S+)/.exec(stdout)?.[1];
  };
  assert.equal(seedOf({}), String(lawSeed(undefined)));
  assert.equal(seedOf({ LAW_SEED: '-5' }), '-5');
  assert.equal(seedOf({ LAW_SEED: 'random' }), 'undefined');
});

test('the laws run as often as asked, each time from another seed, and only those of the files that are named', () => {
  const { status, stdout, stderr } = laws({ LAW_SEED: '41', LAW_RUNS: '2' }, 'protocol/vector.test', 'divergence.test');
  assert.equal(stderr, '');
  assert.deepEqual(stdout.match(/^\d+ (?=.* ok, )/gm), ['41 ', '42 ']);
  assert.match(stdout, /^[1-9]\d* passed, 0 failed$/m);
  assert.equal(status, 0);
});

test('what is no seed, no number of runs and no file is said in one sentence', () => {
  assert.throws(() => lawSeed('often'), { message: 'LAW_SEED is "often": make it a whole number or `random`.' });
  assert.throws(() => lawSeed(''), /LAW_SEED is ""/);
  assert.throws(() => lawRuns('0'), { message: 'LAW_RUNS is "0": make it a whole number from 1 to 99999.' });
  assert.equal(lawRuns(undefined), 20);
  const { status, stdout, stderr } = laws({}, 'no-such-file');
  assert.deepEqual([status, stdout, stderr], [2, '', 'No file with laws has no-such-file in its path.\n']);
});
