import assert from 'node:assert/strict';
import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { block, folderOf, placesIn, run } from './cliKit.ts';

const DISCARD = '<!--DISCARD_BLOCK:a-->\n';

test('a link to a context source is that source, not a second one', async t => {
  const cwd = folderOf(t, { 'AGENTS.md': block('a'), 'sub/AGENTS.md': block('b') });
  symlinkSync('AGENTS.md', join(cwd, 'GEMINI.md'));
  symlinkSync('sub', join(cwd, 'other'));
  for (const names of [
    ['GEMINI.md'],
    ['AGENTS.md', 'GEMINI.md'],
    ['.', 'GEMINI.md'],
    ['other'],
    ['other/AGENTS.md'],
    ['sub', 'other'],
  ]) {
    const { stdout, exitCode } = await run(['check', ...names], { cwd });
    assert.deepEqual([placesIn(stdout), exitCode], [[], 0], names.join(' '));
  }
  const input = await run(['check', '-', '--stdin-filename', 'GEMINI.md'], { cwd, stdin: block('a') });
  assert.deepEqual(placesIn(input.stdout), []);
});

test('a context source that is a link defines its blocks, as in the editor', async t => {
  const cwd = folderOf(t, {
    'docs/base.md': block('a'),
    'shared/style.mdc': block('b'),
    'x.context.md': `${DISCARD}<!--DISCARD_BLOCK:b-->\n<!--DISCARD_BLOCK:c-->\n`,
    'GEMINI.md': block('a'),
  });
  symlinkSync('docs/base.md', join(cwd, 'AGENTS.md'));
  symlinkSync('gone.md', join(cwd, 'CLAUDE.md'));
  symlinkSync('.', join(cwd, 'loop'));
  const rules = folderOf(t, {});
  symlinkSync(join(cwd, 'shared'), join(rules, 'rules'));
  symlinkSync(rules, join(cwd, '.cursor'));
  const { stdout } = await run(['check'], { cwd });
  assert.deepEqual(placesIn(stdout), [
    'GEMINI.md:1:1 warning block-id-conflict',
    'x.context.md:3:1 warning unknown-block',
  ]);
  assert.match(stdout, /^ {2}AGENTS\.md:1:1: /m);
});

test('a path that leads into the project by a link from elsewhere names the file in the project', async t => {
  const cwd = folderOf(t, {
    'AGENTS.md': `${block('a')}<!--ephemeral--> \n`,
    'out/x.md': ' <!--ephemeral-->\n',
    '.context-lifecycle.json': '{"exclude": ["out/**"]}',
  });
  const elsewhere = join(folderOf(t, {}), 'link');
  symlinkSync(cwd, elsewhere);
  for (const name of [elsewhere, join(elsewhere, 'AGENTS.md'), join(elsewhere, '*.md')]) {
    const { stdout } = await run(['check', name], { cwd });
    assert.deepEqual(placesIn(stdout), ['AGENTS.md:3:17 warning malformed-tag'], name);
  }
  const excluded = await run(['check', join(elsewhere, 'out/x.md')], { cwd });
  assert.equal(excluded.stdout, '0 files checked: no problems found.\n');
  const input = await run(['check', '-', '--stdin-filename', join(elsewhere, 'out/new.md')], {
    cwd,
    stdin: ' <!--ephemeral-->\n',
  });
  assert.deepEqual(placesIn(input.stdout), []);
});

test('a file outside the project: no load order, no globs of the project, no guess about unknown blocks', async t => {
  const cwd = folderOf(t, {
    'AGENTS.md': block('a'),
    '.context-lifecycle.json': '{"exclude": ["**/GEMINI.md"], "severities": {"unclosed-block": "note"}}',
  });
  const outside = realpathSync(
    folderOf(t, { 'AGENTS.md': block('a'), 'GEMINI.md': `<!--DISCARD_BLOCK:z-->\n<!--BLOCK_ID:b-->\n` }),
  );
  const { stdout } = await run(['check', outside], { cwd });
  assert.deepEqual(placesIn(stdout), [`${outside}/GEMINI.md:2:1 note unclosed-block`]);
});
