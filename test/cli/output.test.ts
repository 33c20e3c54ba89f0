import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { folderOf, MAIN, run } from './cliKit.ts';

const MISTAKE = '<!--BLOCK_ID:a-->\n';

/** Runs the command with standard output going to what `path` opens. */
async function runInto(path: string, flags: string, args: readonly string[], cwd: string) {
  const output = openSync(path, flags);
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['pipe', output, 'pipe'] });
  closeSync(output);
  child.stdin?.end('{"text": "a"}\n');
  const [stderr, [exitCode]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')]);
  return { stderr, exitCode };
}

test('a report that cannot be written is named in one sentence, exit 2', async t => {
  const cwd = folderOf(t, { 'a.md': MISTAKE });
  for (const args of [['check'], ['parse', 'a.md'], ['parse', '--jsonl']]) {
    assert.deepEqual(await runInto('/dev/full', 'w', args, cwd), {
      stderr: 'context-lifecycle: standard output: There is no space left for it.\n',
      exitCode: 2,
    });
    assert.deepEqual(await runInto('/dev/null', 'r', args, cwd), {
      stderr: 'context-lifecycle: standard output: It is closed.\n',
      exitCode: 2,
    });
  }
});

test('a reader that goes away changes no exit code', async t => {
  const cwd = folderOf(t, { 'a.md': MISTAKE.repeat(9000) });
  for (const closed of ['stdout', 'stderr'] as const) {
    const child = spawn(process.execPath, [MAIN, 'check', 'gone.md', 'a.md'], { cwd, stdio: 'pipe' });
    child[closed].destroy();
    const other = text(closed === 'stdout' ? child.stderr : child.stdout);
    const [exitCode] = await once(child, 'close');
    assert.equal(exitCode, 2, closed);
    assert.match(await other, closed === 'stdout' ? /^context-lifecycle: gone\.md: [^\n]*\n$/ : /9000 errors/);
  }
});

test('a working folder that is gone is named', async t => {
  const cwd = folderOf(t, {});
  const child = spawn('/bin/sh', ['-c', 'read line; exec "$0" "$@"', process.execPath, MAIN, 'check'], { cwd });
  rmSync(cwd, { recursive: true });
  child.stdin.end('\n');
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  assert.match(stderr, /^context-lifecycle: \.: The working folder is gone\.$/m);
  assert.equal(exitCode, 2);
});

test('standard input that is a folder is a failure and stops nothing else', async t => {
  const cwd = folderOf(t, { 'a.md': MISTAKE });
  for (const [args, stdout] of [
    [['check', '-', 'a.md'], /a\.md:1:1: error/],
    [['parse'], /^$/],
    [['parse', '--jsonl'], /^$/],
  ] as const) {
    const folder = openSync(cwd, 'r');
    const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: [folder, 'pipe', 'pipe'] });
    closeSync(folder);
    const [out, error, [exitCode]] = await Promise.all([
      child.stdout ? text(child.stdout) : '',
      child.stderr ? text(child.stderr) : '',
      once(child, 'close'),
    ]);
    assert.match(out, stdout);
    assert.equal(error, 'context-lifecycle: <stdin>: It is a folder.\n');
    assert.equal(exitCode, 2);
  }
});

test('an empty name is no name', async t => {
  const cwd = folderOf(t, { 'a.md': MISTAKE });
  for (const args of [
    ['check', ''],
    ['parse', ''],
    ['parse', '--jsonl', ''],
  ]) {
    const { stdout, stderr, exitCode } = await run(args, { cwd });
    assert.doesNotMatch(stdout, /a\.md/);
    assert.equal(stderr, 'context-lifecycle: "": An empty name names no file.\n');
    assert.equal(exitCode, 2);
  }
});
