import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMENT_STRIPPING_HOSTS, commentStrippingHost } from '../../protocol/lifecycle/commentStrippingHosts.ts';

test('Claude Code strips comments from the files that it loads by name', () => {
  for (const path of [
    'CLAUDE.md',
    '/home/a/CLAUDE.md',
    'file:///w/pkg/CLAUDE.md',
    'C:\\w\\CLAUDE.md',
    'CLAUDE.local.md',
    '.claude/rules/style.md',
    '/w/.claude/rules/deep/er/style.md',
    '/home/a/.claude/CLAUDE.md',
  ]) {
    assert.equal(commentStrippingHost(path)?.agent, 'Claude Code', path);
  }
});

test('other files keep their comments', () => {
  for (const path of [
    'AGENTS.md',
    'GEMINI.md',
    'claude.md',
    'MY-CLAUDE.md',
    'CLAUDE.md.bak',
    'CLAUDE.md/readme.md',
    '.claude/skills/a/SKILL.md',
    'rules/style.md',
    '.claude/rules.md',
    '.claude/rules/style.txt',
    'claude/rules/style.md',
    '',
  ]) {
    assert.equal(commentStrippingHost(path), undefined, path);
  }
});

test('every host says since which version and what it strips', () => {
  for (const { agent, since, stripped, files } of COMMENT_STRIPPING_HOSTS) {
    assert.match(agent, /\w/);
    assert.match(since, /^\d+\.\d+\.\d+$/);
    assert.match(stripped, /comments/);
    assert.ok(files.length > 0);
  }
});
