import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyChanges, withoutOverlaps } from '../../cli/applyChanges.ts';
import { replaceFile } from '../../cli/repair.ts';
import { repairPreview } from '../../cli/repairPreview.ts';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { folderOf, placesIn, run } from './cliKit.ts';

const BLANK_BEHIND = '<!--ephemeral--> ';

test('--fix repairs what is mechanical, keeps every other byte and reports what is left', async t => {
  const before = Buffer.from(`\ufeff# Ü 😀\r\n${BLANK_BEHIND}\r\n\u2028mixed\nends\r <!--BLOCK_ID:a-->\n`);
  const cwd = folderOf(t, { 'a.md': before, 'same.md': '# Same\n' });
  const untouched = statSync(join(cwd, 'same.md')).mtimeMs;
  const { stdout, stderr, exitCode } = await run(['check', '--fix', '--fail-on', 'error'], { cwd });
  assert.equal(
    readFileSync(join(cwd, 'a.md'), 'utf8'),
    '\ufeff# Ü 😀\r\n<!--ephemeral-->\r\n\u2028mixed\nends\r<!--BLOCK_ID:a-->\n',
  );
  assert.ok(placesIn(stdout).includes('a.md:5:1 error unclosed-block'), stdout);
  assert.match(stdout, /2 files checked, 1 repaired: 1 error, /);
  assert.deepEqual([stderr, exitCode], ['', 1]);
  assert.equal(statSync(join(cwd, 'same.md')).mtimeMs, untouched);
  assert.deepEqual(readdirSync(cwd).sort(), ['a.md', 'same.md']);
});

test('--fix leaves alone what is not mechanical, excluded, suppressed or turned off', async t => {
  const files = {
    'free.md': '<!--BLOCKID:a-->\n',
    'excluded.md': `${BLANK_BEHIND}\n`,
    'suppressed.md': `<!-- context-lifecycle-disable -->\n${BLANK_BEHIND}\n`,
  };
  const cwd = folderOf(t, { ...files, '.context-lifecycle.json': '{"exclude": ["excluded.md"]}' });
  await run(['check', '--fix', '.'], { cwd });
  for (const [name, content] of Object.entries(files)) {
    assert.equal(readFileSync(join(cwd, name), 'utf8'), content);
  }
  const off = folderOf(t, {
    'a.md': `${BLANK_BEHIND}\n`,
    '.context-lifecycle.json': '{"severities": {"malformed-tag": "off"}}',
  });
  const result = await run(['check', '--fix', '.'], { cwd: off });
  assert.equal(result.exitCode, 0);
  assert.equal(readFileSync(join(off, 'a.md'), 'utf8'), `${BLANK_BEHIND}\n`);
});

test('--fix never rewrites UTF-16 or invalid UTF-8, and says so', async t => {
  const utf16 = Buffer.from(`\ufeff${BLANK_BEHIND}\n`, 'utf16le');
  const invalid = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`${BLANK_BEHIND}\n`)]);
  const cwd = folderOf(t, { 'utf16.md': utf16, 'invalid.md': invalid });
  const { stdout, stderr, exitCode } = await run(['check', '--fix'], { cwd });
  assert.equal(exitCode, 2);
  assert.ok(readFileSync(join(cwd, 'utf16.md')).equals(utf16));
  assert.ok(readFileSync(join(cwd, 'invalid.md')).equals(invalid));
  for (const name of ['utf16.md', 'invalid.md']) {
    assert.match(stderr, new RegExp(`^context-lifecycle: ${name}: It was not repaired: `, 'm'));
    assert.ok(placesIn(stdout).some(line => line.startsWith(`${name}:`) && line.endsWith('malformed-tag')));
  }
});

test('--fix --dry-run prints a diff, writes nothing and exits 1', async t => {
  const content = `# A\n${BLANK_BEHIND}\n`;
  const cwd = folderOf(t, { 'a.md': content });
  const { stdout, stderr, exitCode } = await run(['check', '--fix', '--dry-run'], { cwd });
  assert.equal(stdout, '--- a.md\n+++ a.md\n@@ -2,1 +2,1 @@\n-<!--ephemeral--> \n+<!--ephemeral-->\n');
  assert.deepEqual([stderr, exitCode], ['1 file would be repaired; nothing would be left.\n', 1]);
  assert.equal(readFileSync(join(cwd, 'a.md'), 'utf8'), content);
  const clean = folderOf(t, { 'a.md': '# A\n' });
  assert.equal((await run(['check', '--fix', '--dry-run'], { cwd: clean })).exitCode, 0);
});

test('a file is replaced at once: mode and symbolic link stay, nothing else is left behind', async t => {
  const folder = folderOf(t, { 'real.md': 'old' });
  chmodSync(join(folder, 'real.md'), 0o640);
  symlinkSync('real.md', join(folder, 'link.md'));
  await replaceFile(join(folder, 'link.md'), Buffer.from('new'));
  assert.equal(readFileSync(join(folder, 'real.md'), 'utf8'), 'new');
  assert.equal(statSync(join(folder, 'real.md')).mode & 0o777, 0o640);
  assert.ok(lstatSync(join(folder, 'link.md')).isSymbolicLink());
  assert.deepEqual(readdirSync(folder).sort(), ['link.md', 'real.md']);
  await assert.rejects(replaceFile(join(folder, 'gone.md'), Buffer.from('x')), { code: 'ENOENT' });
});

test('changes that touch an earlier one are left out; the others are made', () => {
  const change = (start: number, end: number, newText: string) => ({ range: { start, end }, newText });
  const changes = [
    change(4, 5, 'E'),
    change(0, 2, 'x'),
    change(1, 3, 'never'),
    change(2, 2, '|'),
    change(2, 3, 'never'),
  ];
  assert.equal(applyChanges('abcdef', withoutOverlaps(changes)), 'x|cdEf');
});

test('a preview names lines by all three line ends and keeps count when lines are added', () => {
  const before = 'one\r\ntwo\rthree\nfour';
  const at = (word: string, newText: string) => {
    const start = before.indexOf(word);
    return { range: { start, end: start + word.length }, newText };
  };
  const changes = [at('two', 'TWO\nand more'), at('four', 'FOUR\u001b')];
  const file = {
    path: '/x/a.md',
    uri: 'file:///x/a.md',
    shown: 'a.md',
    checkedPath: 'a.md',
    outline: outlineDocument(before),
    noted: [],
  };
  assert.equal(
    repairPreview({ file, repair: { changes, before, bytes: undefined } }),
    '--- a.md\n+++ a.md\n@@ -2,1 +2,2 @@\n-two\n+TWO\n+and more\n@@ -4,1 +5,1 @@\n-four\n+FOUR\\u{1b}\n',
  );
});
