import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Minimatch } from 'minimatch';
import { anyPathMatcher, globProblem, pathMatcher } from '../../../server/check/globs.ts';
import { DEFAULT_SOURCES, loadOrderKey, sourceMatcher } from '../../../server/check/sources.ts';

test('every file name of the issue is a context source, at the root and below', () => {
  const matcher = sourceMatcher(DEFAULT_SOURCES);
  const orders = [
    'AGENTS.md',
    'docs/AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
    '.github/copilot-instructions.md',
    '.github/instructions/tests.instructions.md',
    '.github/prompts/review.prompt.md',
    '.github/agents/writer.agent.md',
    '.claude/skills/pdf/SKILL.md',
    '.cursor/rules/style.mdc',
    'packages/a/.cursor/rules/deep/style.md',
    'api.context.md',
    '.agent-context-kit.md',
  ].map(path => matcher.order(path));
  assert.deepEqual(orders, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10]);
});

test('other files are no context sources', () => {
  const matcher = sourceMatcher(DEFAULT_SOURCES);
  for (const path of ['README.md', 'agents.md', 'MYAGENTS.md', 'AGENTS.md.bak', 'rules/style.mdc', 'context.md', '']) {
    assert.equal(matcher.order(path), undefined, path);
  }
});

test('the first glob that matches decides', () => {
  const matcher = sourceMatcher(['a/*.md', '**/*.md']);
  assert.deepEqual([matcher.order('b.md'), matcher.order('a/b.md'), matcher.order('a/b.md')], [1, 0, 0]);
});

test('path order: files of a folder before its sub-folders, by name, independent of the locale', () => {
  const ordered = ['AGENTS.md', 'Z.md', 'a.md', 'é.md', 'A/AGENTS.md', 'a/AGENTS.md', 'a/b/AGENTS.md', 'a-b/AGENTS.md'];
  const sorted = [...ordered].reverse().sort((a, b) => (loadOrderKey(a) < loadOrderKey(b) ? -1 : 1));
  assert.deepEqual(sorted, ordered);
});

test('globs that cannot be used are refused in one sentence', () => {
  for (const glob of ['', '!a.md', '/etc/*', '../*.md', './a.md', 'a/../b', 'docs/', '+(a)', 'a\\b', 'x'.repeat(257)]) {
    assert.match(globProblem(glob)?.template ?? '', /\.$/, glob);
    assert.equal(anyPathMatcher([glob])('a.md'), false);
  }
  for (const glob of [...DEFAULT_SOURCES, 'docs/**', '*.md', '[ab]?.md', '.hidden/{a,b}.md']) {
    assert.equal(globProblem(glob), undefined, glob);
  }
});

test('globs that would run for hours are refused', () => {
  for (const glob of [
    '*a*a*a*a*b',
    '{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}b',
    '{1..1000000}.md',
    '**/a/**/a/**/a/**/b',
    '*a*a*{/b,c*c}*d*',
  ]) {
    assert.match(globProblem(glob)?.template ?? '', /too many wildcards/, glob);
  }
});

test('globs that are not refused answer for hostile paths too: no wildcard multiplies the work of another segment', () => {
  const names = `${'a'.repeat(255)}/`.repeat(15);
  const deep = 'a/'.repeat(2000);
  const globs = [
    '**/*a*a*/**/*a*a*/**/*a*b',
    '**/a/**/a/**/b',
    '**/{a,*}/**/{a,*}/{a,*}b',
    '*a*a*b/**',
    'a/**/?a*?*?*',
  ];
  for (const glob of globs) {
    assert.equal(globProblem(glob), undefined, glob);
    assert.equal(anyPathMatcher([glob])(`${names}x.md`), false, glob);
    assert.equal(anyPathMatcher([glob])(`${deep}x.md`), false, glob);
  }
});

test('characters that mean nothing in a glob mean themselves', () => {
  for (const path of ['a+b.md', 'a|b.md', 'a$b^.md', 'a{b.md', '#a.md', 'a b.md', '~a.md', '@a.md']) {
    assert.equal(anyPathMatcher([path])(path), true, path);
    assert.equal(anyPathMatcher([path])('aab.md'), false, path);
  }
  assert.equal(anyPathMatcher(['{a,b/c}/*.md'])('b/c/x.md'), true);
});

test('globs answer as minimatch does, whatever is looked at first', () => {
  const globs = [
    '**/*',
    '**/*.md',
    '**/AGENTS.md',
    '**/*.{md,mdc}',
    '**/.x*',
    '**/?a',
    '**/[ab].md',
    '**/{a,b}*.md',
    '.x/y/*',
    '**/.x/**/*.{md,mdc}',
    '{x,.x}/**',
    '**/y/a*',
  ];
  const names = [
    'a',
    'ba',
    'a.md',
    'b.md',
    'c.mdc',
    '.x',
    '.x1',
    '.md',
    'AGENTS.md',
    'xAGENTS.md',
    'agents.md',
    'b1.md',
  ];
  for (const glob of globs) {
    const whole = new Minimatch(glob, { dot: true, noext: true });
    for (const path of names.flatMap(name => [name, `x/${name}`, `.x/y/${name}`, `${name}/z`])) {
      assert.equal(pathMatcher(glob)(path), whole.match(path), `${glob} and ${path}`);
    }
  }
});
