import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apiFor } from '../../../../adapter/gateway/apis/apiFor.ts';
import type { GatewayApi, Provider } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import { type AgentIdentity, identityOf } from '../../../../adapter/gateway/session/agentIdentity.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';

const ID = '01a22a32-de83-7411-81bf-7e3bac933c8f';

function api(provider: Provider, path: string): GatewayApi {
  const found = apiFor(provider, path);
  assert.ok(found);
  return found;
}

const MESSAGES = api('anthropic', '/v1/messages');
const RESPONSES = api('openai', '/v1/responses');
const CHAT = api('openai', '/v1/chat/completions');
const GEMINI = api('gemini', '/v1beta/models/m:generateContent');

function identity(
  headers: Readonly<Record<string, string>>,
  body: JsonObject = {},
  { by = CHAT, sessionName }: { readonly by?: GatewayApi; readonly sessionName?: string } = {},
): AgentIdentity {
  return identityOf({ headers, ...(sessionName !== undefined && { sessionName }) }, body, by);
}

test('agents.md section 4: Claude Code by header, by both forms of metadata.user_id, and its sub-agents', () => {
  const agent = { 'user-agent': 'claude-cli/2.1.332 (external, sdk-cli)' };
  const known = { agent: 'claude-code', agentVersion: '2.1.332', known: true, session: ID };
  const by = { by: MESSAGES };
  assert.deepEqual(identity({ ...agent, 'x-claude-code-session-id': ID }, {}, by), known);
  const userId = JSON.stringify({ device_id: 'd', account_uuid: '', session_id: ID });
  assert.deepEqual(identity(agent, { metadata: { user_id: userId } }, by), known);
  assert.deepEqual(identity(agent, { metadata: { user_id: `user_abc_account__session_${ID}` } }, by), known);
  assert.deepEqual(identity({ ...agent, 'x-claude-code-session-id': ID, 'x-claude-code-agent-id': 'a1' }, {}, by), {
    ...known,
    session: `${ID}/a1`,
    parent: ID,
  });
});

test('agents.md section 4: Codex by headers, by its metadata, by body, and its sub-agents', () => {
  const agent = { 'user-agent': 'codex_exec/0.171.0 (Debian 12.0.0; x86_64)', originator: 'codex_exec' };
  const known = { agent: 'codex', agentVersion: '0.171.0', known: true, session: ID };
  const by = { by: RESPONSES };
  assert.deepEqual(identity({ ...agent, 'session-id': ID, 'thread-id': ID }, {}, by), known);
  // longer than a label may be
  const turn = JSON.stringify({
    session_id: ID,
    thread_id: ID,
    workspaces: { ['/w'.repeat(300)]: {} },
    request_kind: 'turn',
  });
  assert.deepEqual(identity({ ...agent, 'x-codex-turn-metadata': turn }, {}, by), known);
  assert.deepEqual(identity(agent, { client_metadata: { session_id: ID, thread_id: ID } }, by), known);
  assert.deepEqual(identity(agent, { prompt_cache_key: ID }, by), known);
  const named = identity(agent, { prompt_cache_key: ID }, { ...by, sessionName: 'mine' });
  assert.equal(named.session, 'mine', 'any program may set a cache key');
  assert.deepEqual(identity({ ...agent, 'session-id': ID, 'thread-id': 'other' }, {}, by), {
    ...known,
    session: 'other',
    parent: ID,
  });
});

test('agents.md section 4: opencode by its headers, with the parent of a sub-agent', () => {
  const agent = { 'user-agent': 'ai-sdk/provider-utils/3 opencode/1.18.33' };
  const {
    session,
    parent,
    agent: name,
  } = identity({ ...agent, 'x-session-affinity': 'ses_2', 'x-parent-session-id': 'ses_1' });
  assert.deepEqual([name, session, parent], ['opencode', 'ses_2', 'ses_1']);
  assert.equal(identity({ ...agent, 'x-session-id': 'ses_1' }).parent, undefined);
});

test('agents.md section 4: Gemini CLI sends nothing, so the name of the path counts; an agent of no name is called by its API', () => {
  const gemini = identity(
    { 'user-agent': 'GeminiCLI/0.61.0/gemini-2.5-flash (linux; x64)' },
    {},
    { by: GEMINI, sessionName: 'mine' },
  );
  assert.deepEqual([gemini.agent, gemini.agentVersion, gemini.session], ['gemini-cli', '0.61.0', 'mine']);
  assert.deepEqual(identity({ 'user-agent': 'OpenAI/JS 6.1.0' }), { agent: 'openai-chat', known: false });
  const own = identity({ 'x-claude-code-session-id': ID }, {}, { by: MESSAGES, sessionName: 'path' });
  assert.deepEqual([own.agent, own.session], ['claude-code', ID], 'what the agent says itself comes before the path');
});

test('law: whatever headers and bodies say, labels are short and hold nothing that a terminal obeys; it never throws', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 400, unit: 'binary' }),
    fc.constantFrom('{', '{"session_id":1}', '\u001b[2J', 'x'.repeat(5_000)),
  );
  const names = [
    'user-agent',
    'originator',
    'x-claude-code-session-id',
    'x-claude-code-agent-id',
    'session-id',
    'thread-id',
    'x-session-id',
    'x-parent-session-id',
    'x-codex-turn-metadata',
  ];
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), value),
      fc.jsonValue(),
      value,
      (headers, body, sessionName) => {
        const found = identity(
          headers,
          { metadata: body, client_metadata: body, prompt_cache_key: body } as JsonObject,
          { sessionName },
        );
        for (const label of [found.agent, found.agentVersion, found.session, found.parent]) {
          assert.ok(label === undefined || (label.length <= 200 && label.length > 0 && !/\p{Cc}/u.test(label)));
        }
      },
    ),
  );
});

test('long names that differ only at their end stay apart', () => {
  const long = 'x'.repeat(500);
  assert.notEqual(identity({ 'x-session-id': `${long}1` }).session, identity({ 'x-session-id': `${long}2` }).session);
});
