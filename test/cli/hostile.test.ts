import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { githubCommand } from '../../cli/githubCommand.ts';
import { printable, printableJson, printablePath } from '../../cli/printable.ts';
import { folderOf, run } from './cliKit.ts';
import { assertHarmless } from './hostile.ts';

/** Names that a checkout can hold and that a terminal or a runner would obey. */
const HOSTILE_NAMES = [
  'a\u001b[2J\u001b]0;title\u0007.md',
  'b\n::error file=x::injected\n.md',
  '::stop-commands::token.md',
  'c\u009b31m.md',
  'd\u202egnp.md',
  'e##[add-mask]x.md',
  'f##vso[task.setvariable variable=x]y.md',
  'g%0A::warning::h,line=1:2.md',
  'h\r::notice::x.md',
];

const HOSTILE_CONTENT =
  '<!--BLOCK_ID:\u001b[31m-->\n<!--BLOCK_ID:a\u202e-->\n <!--BLOCK_ID:##[set-env]-->\n<!--block_id:::error::x-->\n<!--BLOCK_ID:a-->\n';

test('hostile names and text: no format obeys them', async t => {
  const cwd = folderOf(t, Object.fromEntries(HOSTILE_NAMES.map(name => [name, HOSTILE_CONTENT])));
  for (const format of ['text', 'json', 'sarif', 'github']) {
    const { stdout, stderr, exitCode } = await run(['check', '--format', format], { cwd });
    assert.equal(exitCode, 1);
    assertHarmless(stdout, format);
    assertHarmless(stderr, format);
    const commands = stdout.split('\n').filter(line => line.trimStart().startsWith('::'));
    const own = commands.filter(line =>
      /^::(error|warning|notice) file=[^:,]*,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=[a-z-]+::[^:]/.test(line),
    );
    assert.deepEqual(commands, own);
    assert.equal(commands.length >= HOSTILE_NAMES.length, format === 'github', format);
    if (format === 'json') {
      const files = new Set((JSON.parse(stdout).findings as { file: string }[]).map(({ file }) => file));
      assert.deepEqual(files, new Set(HOSTILE_NAMES));
    }
  }
});

test('hostile names and text: standard error, diffs and parse', async t => {
  const cwd = folderOf(t, {
    ...Object.fromEntries(HOSTILE_NAMES.map(name => [name, `<!--ephemeral-->\u0020\n${HOSTILE_CONTENT}`])),
    '.context-lifecycle.json': '{"\\u001b[31m##[x]": 1, "\\u000a::error::x": 2}',
  });
  const missing = await run(['check', ...HOSTILE_NAMES.map(name => `missing-${name}`)], { cwd });
  assert.equal(missing.exitCode, 2);
  assertHarmless(missing.stderr, 'missing');
  assert.ok(missing.stderr.split('\n').every(line => line === '' || line.startsWith('context-lifecycle: ')));
  const preview = await run(['check', '--fix', '--dry-run'], { cwd });
  assertHarmless(preview.stdout, 'preview');
  assertHarmless(preview.stderr, 'preview');
  const parsed = await run(['parse', '-'], { cwd, stdin: HOSTILE_CONTENT });
  assertHarmless(parsed.stdout, 'parse');
  const usage = await run(['check', '--format', '\u001b[31m\n::error::x'], { cwd });
  assertHarmless(usage.stderr, 'usage');
  assert.ok(!usage.stderr.split('\n').some(line => line.trimStart().startsWith('::')));
});

test('printable: no text is obeyed, ordinary text stays', () => {
  assert.equal(printable('Grüße 你好 😀 [x] #[y] ## a'), 'Grüße 你好 😀 [x] #[y] ## a');
  assert.equal(printable('a\u001b[0m\u200bb\u{e0041}\ud800'), 'a\\u{1b}[0m\\u{200b}b\\u{e0041}\\u{d800}');
  assert.equal(printablePath(':a.md'), './:a.md');
  assert.equal(printablePath(' ::a.md'), './ ::a.md');
  assert.equal(printablePath('a:b.md'), 'a:b.md');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => assertHarmless(printable(text), 'printable')));
});

test('printable JSON has the same value', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('##[x]', '\u202e##vso[x', '\u{e0041}'));
  fc.assert(
    fc.property(fc.dictionary(anything, anything), fc.constantFrom(0, 2), (value, indentation) => {
      const json = printableJson(value, indentation);
      assertHarmless(json, 'json');
      assert.equal(JSON.stringify(JSON.parse(json)), JSON.stringify(value));
    }),
  );
});

test('a GitHub command keeps its properties apart, whatever is in them', () => {
  const command = githubCommand('error', { file: 'a,b:c%\r\n.md', line: 1 }, '50%\n::error::x');
  assert.equal(command, '::error file=a%2Cb%3Ac%25\\u{d}\\u{a}.md,line=1::50%25\\u{a}::error::x');
});
