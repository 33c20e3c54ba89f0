import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AGENT_PROFILES, agentProfile } from '../../protocol/lifecycle/agentProfiles.ts';
import { ephemeralWords } from '../../protocol/lifecycle/profileWords.ts';
import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import { renderMessage } from '../../protocol/lifecycle/text.ts';
import { inRepository } from '../../scripts/build/paths.ts';

test('issue 5: each agent has one profile, with the versions that it was measured with', () => {
  const names = AGENT_PROFILES.map(({ agent }) => agent);
  assert.equal(new Set(names).size, names.length);
  for (const { agent, versions } of AGENT_PROFILES) {
    assert.ok(versions.length > 0, agent);
    assert.equal(agentProfile(agent)?.agent, agent);
    for (const version of versions) {
      assert.match(version, /^\d+\.\d+\.\d+(-rc\.\d+)?$/);
    }
  }
  assert.equal(agentProfile('nobody'), undefined);
});

test('issue 5: the versions of the profiles are those that the tests with real agents install', () => {
  const { dependencies } = JSON.parse(readFileSync(inRepository('test/agents/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const installed = Object.entries(dependencies).map(([name, wanted]) => ({
    name,
    version: /@?([\d.]+)$/.exec(wanted)?.[1],
  }));
  const packages = { pi: /^pi-\d/, 'ai-sdk': /^ai-\d/, 'claude-code': /claude-code/, codex: /codex/ };
  for (const [agent, pattern] of Object.entries(packages)) {
    for (const { name, version } of installed.filter(({ name }) => pattern.test(name))) {
      assert.ok(version && agentProfile(agent)?.versions.includes(version), `${agent}: ${name} ${version}`);
    }
  }
});

test('agents.md trap: a file read by Claude Code, opencode and dsh, and the shell of Gemini CLI, has no exact line', () => {
  const exactAfter = (text: string) => scanDeclarations(`${text}<!--ephemeral-->\n`).length;
  for (const { agent, prefixes } of AGENT_PROFILES) {
    for (const { text } of prefixes) {
      assert.equal(exactAfter(text), 0, `${agent} ${JSON.stringify(text)}`);
    }
  }
  assert.equal(exactAfter(''), 1);
  const where = AGENT_PROFILES.flatMap(({ agent, prefixes }) => prefixes.map(prefix => `${agent}: ${prefix.where}`));
  assert.deepEqual(where, ['claude-code: file', 'gemini-cli: shell', 'opencode: file', 'dsh: file']);
});

test('what an agent puts before a tag is excepted where ephemeral contents are said to be enforced', () => {
  const words = AGENT_PROFILES.map(profile => [profile.agent, renderMessage(ephemeralWords(profile))]);
  const inFiles = 'enforced, except a tag in a file that a tool reads';
  assert.deepEqual(Object.fromEntries(words), {
    'claude-code': inFiles,
    codex: 'enforced',
    'gemini-cli': "enforced, except a tag on the first line of a command's output",
    opencode: inFiles,
    pi: 'enforced',
    'ai-sdk': 'enforced',
    dsh: inFiles,
  });
});

test('issue 5: only the gateway sees the bytes that left, and only it may let a request go on as it came', () => {
  for (const { agent, by, receipt, failure } of AGENT_PROFILES) {
    assert.equal(receipt === 'sha256', by === 'gateway', agent);
    assert.equal(failure === 'closed-or-open', by === 'gateway', agent);
  }
});
