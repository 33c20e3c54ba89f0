import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inputLines } from '../../cli/jsonLines.ts';
import { block, folderOf, run } from './cliKit.ts';

const VECTORS = new URL('../vectors/grammar.jsonl', import.meta.url);

test('parse --jsonl equals all 4,000 vectors, all fields and their order', async t => {
  const input = readFileSync(VECTORS, 'utf8');
  const cwd = folderOf(t, {});
  const { stdout, stderr, exitCode } = await run(['parse', '--jsonl'], { cwd, stdin: input });
  assert.deepEqual([stderr, exitCode], ['', 0]);
  const expected = input.trimEnd().split('\n');
  const actual = stdout.trimEnd().split('\n');
  assert.equal(actual.length, 4000);
  for (const [index, line] of actual.entries()) {
    const { problems, ...parsed } = JSON.parse(line);
    const { text, ...vector } = JSON.parse(expected[index] ?? '');
    assert.ok(Array.isArray(problems));
    assert.equal(JSON.stringify(parsed), JSON.stringify(vector), `vector ${index + 1}: ${JSON.stringify(text)}`);
  }
});

test('parse --jsonl: a bad line is named, the others are answered, exit 2', async t => {
  const lines = ['{"text":"a\u2028b"}', 'nonsense', '{"text":1}', '[]', '', '{"text":"<!--ephemeral-->"}'];
  const cwd = folderOf(t, {
    'in.jsonl': Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from('\n"\xff"', 'latin1')]),
  });
  const { stdout, stderr, exitCode } = await run(['parse', '--jsonl', 'in.jsonl'], { cwd });
  assert.equal(exitCode, 2);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { ephemeral: boolean; ordinaryMarkdown: string });
  assert.deepEqual(
    answers.map(({ ephemeral }) => ephemeral),
    [false, true],
  );
  assert.equal(answers[0]?.ordinaryMarkdown, 'a\u2028b');
  assert.deepEqual(
    stderr
      .trimEnd()
      .split('\n')
      .map(line => line.slice(0, 'context-lifecycle: in.jsonl:2'.length)),
    [2, 3, 4, 5, 7].map(number => `context-lifecycle: in.jsonl:${number}`),
  );
});

test('parse of one file or standard input; problems do not change the exit code', async t => {
  const content = `${block('a', 'Text.\n')}<!--BLOCK_ID:b-->\n`;
  const cwd = folderOf(t, { 'a.md': `\ufeff${content}` });
  const [fromFile, fromStdin] = await Promise.all([
    run(['parse', 'a.md'], { cwd }),
    run(['parse'], { cwd, stdin: content }),
  ]);
  assert.equal(fromFile.stdout, fromStdin.stdout);
  assert.deepEqual([fromFile.exitCode, fromStdin.exitCode, fromStdin.stderr], [0, 0, '']);
  const { problems, ...parsed } = JSON.parse(fromFile.stdout);
  assert.deepEqual(parsed, {
    ephemeral: false,
    blocks: [{ id: 'a', content: 'Text.\n', startLine: 1, endLine: 3 }],
    discards: [],
    ordinaryMarkdown: '<!--BLOCK_ID:b-->\n',
    structural: [{ code: 'unclosed-block', line: 4 }],
  });
  assert.equal(problems[0].code, 'unclosed-block');
});

test('parse names on standard error what the bytes show and the result does not', async t => {
  const cwd = folderOf(t, {
    'a.md': Buffer.from('\ufeffa\nb\r\n', 'utf16le'),
    'b.md': Buffer.from([0x61, 0x0a, 0xff]),
  });
  const utf16 = await run(['parse', 'a.md'], { cwd });
  assert.match(
    utf16.stderr,
    /^context-lifecycle: a\.md:1: .* \[utf-16\]\ncontext-lifecycle: a\.md:2: .* \[mixed-line-ends\]\n$/,
  );
  assert.deepEqual([JSON.parse(utf16.stdout).ordinaryMarkdown, utf16.exitCode], ['a\nb\r\n', 0]);
  const invalid = await run(['parse', 'b.md'], { cwd });
  assert.match(invalid.stderr, /^context-lifecycle: b\.md:2: .* \[invalid-utf8\]\n$/);
});

test('parse --jsonl takes one byte order mark off its input', async t => {
  const line = '\ufeff{"text":"a"}\r\n';
  const { stdout, stderr, exitCode } = await run(['parse', '--jsonl'], { cwd: folderOf(t, {}), stdin: line + line });
  assert.equal(stdout.split('\n').length, 2);
  assert.match(stderr, /^context-lifecycle: <stdin>:2: The line is not JSON: [^\n]*\n$/);
  assert.equal(exitCode, 2);
});

test('parse: a file that cannot be read is named, exit 2', async t => {
  const cwd = folderOf(t, {});
  for (const args of [
    ['parse', 'gone.md'],
    ['parse', '--jsonl', 'gone.md'],
  ]) {
    const { stdout, stderr, exitCode } = await run(args, { cwd });
    assert.deepEqual([stdout, exitCode], ['', 2]);
    assert.equal(stderr, 'context-lifecycle: gone.md: There is no such file or folder.\n');
  }
});

test('parse --jsonl answers each line before the input ends, and a closed pipe is no error', async () => {
  const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'parse', '--jsonl'], { stdio: 'pipe' });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.write('{"text":"first"}\n');
  const [answer] = await once(child.stdout, 'data');
  assert.match(String(answer), /"ordinaryMarkdown":"first"/);
  child.stdout.destroy();
  child.stdin.end('{"text":"more"}\n'.repeat(100_000));
  const [exitCode] = await once(child, 'close');
  assert.deepEqual([exitCode, Buffer.concat(errors).toString()], [0, '']);
});

test('lines of a stream do not depend on where its chunks end', async () => {
  const bytes = Buffer.from('é\r\n\n😀\u2028x\nlast');
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) {
        yield bytes.subarray(at, at + size);
      }
    };
    const lines: string[] = [];
    for await (const { number, bytes: line } of inputLines(chunks())) {
      lines.push(`${number}:${line.toString()}`);
    }
    assert.deepEqual(lines, ['1:é\r', '2:', '3:😀\u2028x', '4:last'], `chunks of ${size}`);
  }
});
