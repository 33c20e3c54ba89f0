import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentOf, argumentPast, detours } from '../../../cli/gateway/knownAgents.ts';

test('agents are known by their program, however they are started', () => {
  for (const [line, id, words] of [
    ['claude -p hi', 'claude-code', 1],
    ['/usr/local/bin/claude', 'claude-code', 1],
    ['C:\\tools\\claude.exe', 'claude-code', 1],
    ['codex exec hi', 'codex', 1],
    ['gemini', 'gemini-cli', 1],
    ['npx @anthropic-ai/claude-code -p hi', 'claude-code', 2],
    ['npx @openai/codex@0.171.0 exec', 'codex', 2],
    ['bunx gemini-cli', 'gemini-cli', 2],
    ['node /x/node_modules/@openai/codex/bin/codex.js exec', 'codex', 2],
    ['node /x/node_modules/@google/gemini-cli/bundle/gemini.js', 'gemini-cli', 2],
    ['node /x/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs', 'claude-code', 2],
    ['opencode', 'other', 1],
    ['/home/codex/bin/mine', 'other', 1],
    ['node /home/codex/mine.js', 'other', 1],
    ['bash claude', 'other', 1],
    ['constructor', 'other', 1],
    ['node', 'other', 1],
  ] as const) {
    assert.deepEqual(agentOf(line.split(' ')), { id, words }, line);
  }
});

const at = { upstreams: {} };

test('an agent that would go past the gateway is not started: nothing is ever passed by in silence', () => {
  const env = { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '0', CLAUDE_CODE_USE_FOUNDRY: '' };
  assert.deepEqual(detours({ ...at, id: 'claude-code', env }, []), [
    'CLAUDE_CODE_USE_BEDROCK is set, and with it the agent sends its requests past the gateway. Unset it.',
  ]);
  assert.deepEqual(detours({ ...at, id: 'codex', env }, []), []);
  for (const word of [
    '--oss',
    '--local-provider=x',
    '-cmodel_provider=x',
    'openai_base_url="x"',
    '--config=model_provider = "x"',
  ]) {
    assert.equal(argumentPast('codex', ['exec', word]), word);
    assert.equal(argumentPast('claude-code', [word]), undefined);
  }
  assert.equal(argumentPast('codex', ['exec', '-c', 'model="o3"', 'what is --oss?']), undefined);
});

test('where a person has sent requests elsewhere until now, the gateway must be told where they go on to', () => {
  const env = { ANTHROPIC_BASE_URL: 'https://llm.example.org', GOOGLE_GEMINI_BASE_URL: '' };
  const variables = ['ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL', 'CONTEXT_LIFECYCLE_GATEWAY'];
  const [sentence = '', ...more] = detours({ ...at, id: 'claude-code', env }, variables);
  assert.match(sentence, /^ANTHROPIC_BASE_URL is set already\. .*--upstream anthropic=ADDRESS/);
  assert.ok(!sentence.includes('llm.example.org'), 'an address may hold a secret');
  assert.deepEqual(more, []);
  const upstreams = { anthropic: 'https://llm.example.org' };
  assert.deepEqual(detours({ id: 'claude-code', env, upstreams }, variables), []);
  const usual = { ANTHROPIC_BASE_URL: 'https://api.anthropic.com/', OPENAI_BASE_URL: 'https://api.openai.com/v1' };
  assert.deepEqual(detours({ ...at, id: 'other', env: usual }, Object.keys(usual)), []);
  assert.deepEqual(detours({ ...at, id: 'codex', env }, []), [], 'a variable that the agent does not read');
});
