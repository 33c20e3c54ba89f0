import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_IDS, agentSetup, commandLine, isSessionName, shellLines } from '../../local/gatewayAgents.ts';
import { readGatewayStarted } from '../../local/gatewayStarted.ts';

const ADDRESS = 'http://127.0.0.1:4711/0123456789abcdef0123456789abcdef';
const HOOKS = 'http://127.0.0.1:4711/fedcba9876543210fedcba9876543210';
const ADDRESSES = { address: ADDRESS, hookAddress: HOOKS };

function lines(shell: 'posix' | 'powershell') {
  return Object.fromEntries(AGENT_IDS.map(id => [id, shellLines(agentSetup(id, ADDRESSES, 'n1'), shell)]));
}

test('each agent has its lines for a POSIX shell', () => {
  assert.deepEqual(lines('posix'), {
    'claude-code': [`export ANTHROPIC_BASE_URL=${ADDRESS}/anthropic`, `export CONTEXT_LIFECYCLE_GATEWAY=${HOOKS}`],
    codex: [`codex -c openai_base_url=${ADDRESS}/openai/v1`],
    'gemini-cli': [`export GOOGLE_GEMINI_BASE_URL=${ADDRESS}/s/n1/gemini`],
    other: [
      `export ANTHROPIC_BASE_URL=${ADDRESS}/s/n1/anthropic`,
      `export OPENAI_BASE_URL=${ADDRESS}/s/n1/openai/v1`,
      `export GOOGLE_GEMINI_BASE_URL=${ADDRESS}/s/n1/gemini`,
    ],
  });
});

test('and for PowerShell', () => {
  const { codex, 'gemini-cli': gemini } = lines('powershell');
  assert.deepEqual(codex, [`codex -c openai_base_url=${ADDRESS}/openai/v1`]);
  assert.deepEqual(gemini, [`$env:GOOGLE_GEMINI_BASE_URL = '${ADDRESS}/s/n1/gemini'`]);
});

test('Gemini CLI sends nothing that tells its sessions apart, so its address does (agents.md, section 4)', () => {
  const [one, two] = ['one', 'two'].map(name => agentSetup('gemini-cli', ADDRESSES, name).env);
  assert.notDeepEqual(one, two);
  assert.equal(isSessionName('a-1_B'), true);
  assert.equal(isSessionName('a/b'), false);
});

test('a command line is typed where the agent is told by arguments', () => {
  assert.equal(commandLine(agentSetup('codex', ADDRESSES, 'n')), `codex -c openai_base_url=${ADDRESS}/openai/v1`);
  assert.equal(commandLine(agentSetup('claude-code', ADDRESSES, 'n')), 'claude');
  assert.equal(commandLine(agentSetup('other', ADDRESSES, 'n')), undefined);
});

test('the first line of a gateway is read, and nothing in its address can mean something to a shell', () => {
  const said = { ...ADDRESSES, port: 4711, sources: ['/a/AGENTS.md'], notes: ['A note.'] };
  assert.deepEqual(readGatewayStarted(JSON.stringify(said)), said);
  for (const address of [
    'http://127.0.0.1:4711',
    'http://example.org:4711/0123456789abcdef0123456789abcdef',
    'https://127.0.0.1:4711/0123456789abcdef0123456789abcdef',
    'http://127.0.0.1:4711/0123456789abcdef;id',
    "http://127.0.0.1:4711/0123456789abcdef'",
    'http://127.0.0.1:4711/0123456789abcdef$(id)',
    `${ADDRESS}\n`,
    1,
    null,
  ]) {
    assert.equal(readGatewayStarted(JSON.stringify({ ...said, address })), undefined, String(address));
    assert.equal(readGatewayStarted(JSON.stringify({ ...said, hookAddress: address })), undefined, String(address));
  }
  for (const line of [
    '',
    'nonsense',
    '[]',
    'null',
    '{}',
    JSON.stringify({ ...said, sources: [1] }),
    JSON.stringify({ ...said, notes: 'x' }),
  ]) {
    assert.equal(readGatewayStarted(line), undefined, line);
  }
});
