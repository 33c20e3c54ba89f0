import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseUserConfig } from '../../local/userConfig.ts';
import { AGENT_PROFILES } from '../../protocol/lifecycle/agentProfiles.ts';
import { DEFAULT_POLICY } from '../../protocol/lifecycle/defaultPolicy.ts';
import { agentsPage, withProfiles } from '../../scripts/agentTable.ts';
import { fencesOf, readPage, root } from './pages.ts';

test('the page on agents names the versions that are tested', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'test/agents/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const page = readPage('docs/agents.md');
  const agents = Object.entries(dependencies).filter(([name]) => /^(pi|ai)-\d/.test(name));
  assert.equal(agents.length, 4);
  for (const [, wanted] of agents) {
    const [, name = '', version = ''] = /^npm:(.+)@([\d.]+)$/.exec(wanted) ?? [];
    assert.ok(page.includes(`\`${name}\``), name);
    assert.ok(page.includes(version), version);
  }
});

test('the table of what holds where is that of the profiles: node scripts/agentTable.ts writes it', () => {
  const page = readPage(agentsPage);
  assert.equal(withProfiles(page), page);
  for (const { name, versions } of AGENT_PROFILES) {
    assert.ok(page.includes(`| ${name} ${versions.join(', ')} |`), name);
  }
});

test('the page on agents names the version of opencode that is tested', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'test/agents/all/package.json'), 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const version = optionalDependencies['opencode-linux-x64'];
  assert.match(version ?? '', /^\d+\.\d+\.\d+$/);
  assert.ok(readPage('docs/agents.md').includes(`\`opencode-ai\` ${version}`));
});

test('the policy on the page on agents is legal, and is the default with one rule before it', () => {
  const example = fencesOf(readPage('docs/agents.md'), 'json').find(fence => fence.includes('"policy"')) ?? '';
  const { config, problems } = parseUserConfig('config.json', example);
  assert.deepEqual(problems, []);
  assert.deepEqual(config.policy?.rules.slice(1), DEFAULT_POLICY.rules);
});
