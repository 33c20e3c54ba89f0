import assert from 'node:assert/strict';
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyChanges, withoutOverlaps } from '../../cli/applyChanges.ts';
import { rewriteFile } from '../../cli/repair.ts';
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

test('a repaired file keeps its mode, owner and names, and nothing else is left behind', t => {
  const folder = folderOf(t, { 'real.md': 'old text' });
  const path = join(folder, 'real.md');
  chmodSync(path, 0o666);
  symlinkSync('real.md', join(folder, 'link.md'));
  linkSync(path, join(folder, 'second.md'));
  const before = statSync(path);
  rewriteFile(join(folder, 'link.md'), Buffer.from('old text'), Buffer.from('new'));
  for (const name of ['real.md', 'link.md', 'second.md']) {
    assert.equal(readFileSync(join(folder, name), 'utf8'), 'new');
  }
  const after = statSync(path);
  assert.deepEqual(
    [after.ino, after.mode, after.uid, after.nlink],
    [before.ino, before.mode, before.uid, before.nlink],
  );
  assert.ok(lstatSync(join(folder, 'link.md')).isSymbolicLink());
  assert.deepEqual(readdirSync(folder).sort(), ['link.md', 'real.md', 'second.md']);
  assert.throws(() => rewriteFile(join(folder, 'gone.md'), Buffer.from('x'), Buffer.from('y')), { code: 'ENOENT' });
});

test('a file that has changed since it was read is not overwritten; one that is repaired already is left alone', t => {
  const folder = folderOf(t, { 'a.md': 'written meanwhile' });
  const path = join(folder, 'a.md');
  assert.throws(() => rewriteFile(path, Buffer.from('read before'), Buffer.from('new')), /^Error: It has changed/);
  assert.equal(readFileSync(path, 'utf8'), 'written meanwhile');
  rewriteFile(path, Buffer.from('read before'), Buffer.from('written meanwhile'));
  assert.equal(readFileSync(path, 'utf8'), 'written meanwhile');
});

test('--fix never writes a read-only file, whoever owns it, and repairs one whose name is as long as names may be', async t => {
  const long = `${'n'.repeat(252)}.md`;
  const cwd = folderOf(t, { 'locked.md': `${BLANK_BEHIND}\n`, [long]: `${BLANK_BEHIND}\n` });
  chmodSync(join(cwd, 'locked.md'), 0o444);
  const { stdout, stderr, exitCode } = await run(['check', '--fix'], { cwd });
  assert.deepEqual(placesIn(stdout), ['locked.md:1:17 warning malformed-tag']);
  assert.equal(stderr, 'context-lifecycle: locked.md: It was not repaired: It is read-only.\n');
  assert.equal(exitCode, 2);
  assert.equal(readFileSync(join(cwd, long), 'utf8'), '<!--ephemeral-->\n');
});

test('--fix repairs a file once that several names lead to, and a second --fix changes nothing', async t => {
  const cwd = folderOf(t, { 'a.md': ` ${BLANK_BEHIND}\r\n<!-- BLOCK_ID : A -->\n` });
  symlinkSync('a.md', join(cwd, 'b.md'));
  const first = await run(['check', '--fix', 'b.md', 'a.md', './b.md'], { cwd });
  assert.equal(first.stderr, '');
  const repaired = readFileSync(join(cwd, 'a.md'), 'utf8');
  assert.match(repaired, /^<!--ephemeral-->\r\n/);
  const second = await run(['check', '--fix', 'a.md'], { cwd });
  assert.match(second.stdout, /^1 file checked: /m);
  assert.equal(readFileSync(join(cwd, 'a.md'), 'utf8'), repaired);
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
