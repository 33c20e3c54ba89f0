import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, placesIn, run } from './cliKit.ts';

const MARK = '\ufeff';
const TAG = '<!--BLOCK_ID:a-->';

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Findings for one file with these bytes. */
async function findingsOf(t: Parameters<typeof folderOf>[0], bytes: string | Uint8Array): Promise<readonly string[]> {
  const cwd = folderOf(t, { 'a.md': bytes });
  return placesIn((await run(['check', 'a.md'], { cwd })).stdout).map(line => line.replace('a.md:', ''));
}

test('editor-bugs 1, 2: LF, CRLF and CR end lines, U+2028, U+2029, U+0085, VT and FF do not', async t => {
  for (const end of ['\n', '\r\n', '\r']) {
    const found = await findingsOf(t, `x${end}${TAG}${end}`);
    assert.ok(found.includes('2:1 error unclosed-block'), JSON.stringify(end));
  }
  for (const other of ['\u2028', '\u2029', '\u0085', '\u000b', '\f']) {
    const found = await findingsOf(t, `x${other}${TAG}\n${TAG}\n`);
    assert.deepEqual(
      found.filter(line => line.includes('unclosed')),
      ['2:1 error unclosed-block'],
      JSON.stringify(other),
    );
  }
});

test('editor-bugs 8: one byte order mark is taken off and reported by name; a second one is text', async t => {
  assert.deepEqual(await findingsOf(t, `${MARK}${TAG}\n`), ['1:1 note byte-order-mark', '1:1 error unclosed-block']);
  const two = await findingsOf(t, `${MARK}${MARK}${TAG}\n`);
  assert.equal(two[0], '1:1 note byte-order-mark');
  assert.ok(two.includes('1:1 warning malformed-tag'));
  assert.ok(!two.some(line => line.includes('unclosed-block')));
});

test('UTF-16 of both byte orders is decoded and reported by name', async t => {
  for (const bytes of [Buffer.from(`${MARK}é\n${TAG}\n`, 'utf16le'), utf16be(`${MARK}é\n${TAG}\n`)]) {
    assert.deepEqual(await findingsOf(t, bytes), ['1:1 note utf-16', '2:1 error unclosed-block']);
  }
});

test('invalid UTF-8, mixed line ends and lone CR are reported by name where they first occur', async t => {
  assert.deepEqual(await findingsOf(t, Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a])), ['2:2 note invalid-utf8']);
  assert.deepEqual(await findingsOf(t, 'a\nb\r\nc\n'), ['2:2 note mixed-line-ends']);
  assert.deepEqual(await findingsOf(t, 'a\rb\r'), ['1:2 note lone-cr']);
  assert.deepEqual(await findingsOf(t, 'a\r\nb\r\n'), []);
  assert.deepEqual(await findingsOf(t, 'a real \ufffd is no fault\n'), []);
});

test('editor-bugs 11: columns are UTF-16 units behind emoji', async t => {
  const cwd = folderOf(t, { 'a.md': '😀 <!--ephemeral-->\n<!--DISCARD_BLOCK:😀-->\n' });
  const { stdout } = await run(['check', '--format', 'json', 'a.md'], { cwd });
  const columns = (
    JSON.parse(stdout) as { findings: { line: number; column: number; endColumn: number }[] }
  ).findings.map(({ line, column, endColumn }) => [line, column, endColumn]);
  assert.deepEqual(columns, [
    [1, 1, 4],
    [2, 19, 21],
  ]);
});

test('editor-bugs 27: a tag in a code fence counts, for the command line as for everybody, and is pointed out', async t => {
  const found = await findingsOf(t, `\`\`\`md\n<!--ephemeral-->\n\`\`\`\n`);
  assert.deepEqual(found, ['2:1 warning live-tag-in-code-fence']);
  const cwd = folderOf(t, { 'a.md': '```md\n<!--ephemeral-->\n```\n' });
  assert.equal(JSON.parse((await run(['parse', 'a.md'], { cwd })).stdout).ephemeral, true);
});

test('byte notes can be made louder, turned off and suppressed', async t => {
  const cwd = folderOf(t, {
    '.context-lifecycle.json': '{"severities": {"byte-order-mark": "error", "lone-cr": "off"}}',
    'a.md': `${MARK}a\rb`,
    'b.md': `${MARK}<!-- context-lifecycle-disable byte-order-mark -->\n`,
  });
  const { stdout, exitCode } = await run(['check'], { cwd });
  assert.deepEqual([placesIn(stdout), exitCode], [['a.md:1:1 error byte-order-mark'], 1]);
});
