import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'steps-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script that imports the steps, outside this test run, and gives what it prints without the times. */
function run(script: string): { readonly status: number | null; readonly lines: readonly string[] } {
  const file = join(folder, 'script.mts');
  const at = (path: string) => JSON.stringify(inRepository('scripts/check', path));
  const imports = `import { runSteps } from ${at('step.ts')};\nimport { runUnitTests } from ${at('unitTests.ts')};\n`;
  writeFileSync(file, imports + script);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' });
  assert.equal(stderr, '');
  return {
    status,
    lines: stdout
      .trimEnd()
      .replace(/ +\d+\.\d s/g, '')
      .split('\n'),
  };
}

test('steps print one line each, output only on failure, and the sum last', () => {
  const { status, lines } = run(`process.exitCode = await runSteps([
    { name: 'quiet', run: async () => ({ passed: 3, failed: 0, output: 'not shown' }) },
    { name: 'loud', run: async () => ({ passed: 1, failed: 2, output: 'what went wrong\\n' }) },
    { name: 'next', run: async () => ({ passed: 1, failed: 0, output: '' }) },
  ]);`);
  assert.deepEqual(lines, ['quiet  ok, 3', 'loud  FAILED, 2', 'what went wrong', 'next  ok, 1', '5 passed, 2 failed']);
  assert.equal(status, 1);
});

test('a summary of all steps stands before the sum', () => {
  const { lines } = run(`process.exitCode = await runSteps(
    [{ name: 'one', run: async () => ({ passed: 2, failed: 0, output: '' }) }],
    finished => finished.map(({ name, result, seconds }) => name + ': ' + result.passed + ', ' + typeof seconds).join(),
  );`);
  assert.deepEqual(lines, ['one  ok, 2', 'one: 2, number', '2 passed, 0 failed']);
});

test('a step that dies is one failure, and the next step runs', () => {
  const { lines } = run(`process.exitCode = await runSteps([
    { name: 'dies', run: async () => { throw new Error('died on purpose'); } },
    { name: 'next', run: async () => ({ passed: 1, failed: 0, output: '' }) },
  ]);`);
  assert.equal(lines[0], 'dies  FAILED, 1');
  assert.match(lines.join('\n'), /Error: died on purpose/);
  assert.deepEqual(lines.slice(-2), ['next  ok, 1', '1 passed, 1 failed']);
});

test('unit tests are counted one by one, a file that cannot load as one failure', () => {
  const head = "import { suite, test } from 'node:test';\n";
  writeFileSync(join(folder, 'a.test.ts'), `${head}suite('s', () => { test('x', () => {}); test('y', () => {}); });\n`);
  writeFileSync(join(folder, 'b.test.ts'), `${head}test('z', () => { throw new Error('broken on purpose'); });\n`);
  writeFileSync(join(folder, 'c.test.ts'), "throw new Error('cannot load');\n");
  const { lines } = run(`const { passed, failed, output } = await runUnitTests([${JSON.stringify(folder)}]);
  console.log(passed, failed, output.includes('broken on purpose'));`);
  assert.deepEqual(lines, ['2 2 true']);
});

test('a file that hangs is named and does not hang the loop', () => {
  const hanging = join(folder, 'hanging');
  mkdirSync(hanging);
  const file = join(hanging, 'endless.test.ts');
  const pid = join(hanging, 'pid');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
writeFileSync(${JSON.stringify(pid)}, String(process.pid));
test('x', () => { for (;;); });\n`,
  );
  const { lines } = run(`const { failed, output } = await runUnitTests([${JSON.stringify(hanging)}], 0.2);
  console.log(failed, output.trim());
  process.exit();`);
  process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /^1 No result after 0\.2 minutes from .*endless\.test\.ts\.$/);
});
