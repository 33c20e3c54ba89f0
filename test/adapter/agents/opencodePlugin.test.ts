import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type {
  MessageInfo,
  OpencodeHooks,
  OpencodeMessage,
  OpencodeModel,
  OpencodeSessionInfo,
} from '../../../adapter/agents/opencode/opencodeApi.ts';
import { endedBy } from '../../../adapter/agents/opencode/opencodeOutcome.ts';
import { opencodePlugin } from '../../../adapter/agents/opencode/opencodePlugin.ts';
import { openSession } from '../../../adapter/openSession.ts';
import type { Session, SessionOptions } from '../../../adapter/sessionTypes.ts';
import { answer, prompt, toolPart } from './opencodeKit.ts';

const TITLE = 'You are a title generator. You output ONLY a thread title.';

interface Host {
  readonly hooks: OpencodeHooks;
  readonly told: readonly string[];
  readonly opened: readonly SessionOptions[];
  readonly sessions: readonly Session[];
  /** One request as opencode makes it; gives what is sent. */
  ask(
    messages: readonly OpencodeMessage[],
    more?: { readonly meanwhile?: () => Promise<void>; readonly system?: string; readonly model?: OpencodeModel },
  ): Promise<readonly OpencodeMessage[]>;
  updated(info: MessageInfo): Promise<void>;
}

/** As much of opencode as calls a plug-in. */
function host(
  context: TestContext,
  infos: Readonly<Record<string, OpencodeSessionInfo>> = {},
  agentsFail = false,
): Host {
  const folder = mkdtempSync(join(tmpdir(), 'opencode-plugin-'));
  const told: string[] = [];
  const opened: SessionOptions[] = [];
  const sessions: Session[] = [];
  const hooks = opencodePlugin(
    {
      client: {
        app: {
          agents: async () => {
            if (agentsFail) throw new Error('no server');
            return { data: [{ name: 'build' }, { name: 'title', hidden: true, prompt: TITLE }] };
          },
        },
        path: { get: async () => ({ data: { config: join(folder, 'config'), home: join(folder, 'home') } }) },
        session: {
          get: async ({ path: { id } }) => ({ data: infos[id] ?? { id, version: '1.18.33' } }),
          messages: async () => ({ data: [] }),
        },
        tui: { showToast: async () => undefined },
      },
      directory: folder,
      worktree: folder,
    },
    async options => {
      opened.push(options);
      const session = await openSession({
        ...options,
        folder,
        config: { announce: false, countTokens: false, crossCheck: true },
      });
      sessions.push(session);
      return session;
    },
    sentence => told.push(sentence),
  );
  context.after(async () => {
    await hooks.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    hooks,
    told,
    opened,
    sessions,
    ask: async (messages, { meanwhile, system = 'You are opencode.', model = {} } = {}) => {
      const sessionID = messages[0]?.info.sessionID ?? '';
      const list = structuredClone([...messages]);
      await hooks['experimental.chat.messages.transform']({}, { messages: list });
      await meanwhile?.();
      await hooks['experimental.chat.system.transform']({ sessionID }, { system: [system] });
      await hooks['chat.params']({ sessionID, agent: 'build', model }, { temperature: 0 });
      return list;
    },
    updated: info => hooks.event({ event: { type: 'message.updated', properties: { info } } }),
  };
}

function outputsOf(messages: readonly OpencodeMessage[]): readonly unknown[] {
  return messages
    .flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool'))
    .map(part => (part as ReturnType<typeof toolPart>).state.output);
}

const first = prompt('msg_1', 'go');
const second = answer('msg_2', [toolPart('call_1', 'bash', '<!--ephemeral-->\nSECRET\n')]);
const third = answer('msg_3', [toolPart('call_2', 'bash', 'hi\n')]);

test('the very list that opencode gave is changed, and nothing in the messages that it holds', async context => {
  const { ask } = host(context);
  await ask([first]);
  assert.deepEqual(outputsOf(await ask([first, second])), ['<!--ephemeral-->\nSECRET\n']);
  const given = [first, second, third];
  const before = structuredClone(given);
  const list = await ask(given);
  assert.deepEqual(outputsOf(list), ['[EPHEMERAL:Output omitted after consumption;original_bytes=24]', 'hi\n']);
  assert.doesNotMatch(JSON.stringify(list), /SECRET/);
  assert.deepEqual(given, before);
});

test('a request holds model, agent, parameters and the system prompt that opencode showed', async context => {
  const { ask, sessions } = host(context);
  await ask([first]);
  const [session] = sessions;
  assert.equal(session?.state.requests.length, 1);
  assert.equal(session?.state.requests.get(0)?.receipt?.result, 'not-reported');
});

test('what opencode knows of a model’s window counts from the request after the first one, for that model', async context => {
  const { ask, sessions } = host(context);
  await ask([first], { model: { limit: { context: 100_000, input: 90_000 } } });
  const [session = assert.fail()] = sessions;
  const limits: unknown[] = [];
  const begin = session.beginRequest.bind(session);
  session.beginRequest = input => {
    limits.push(input.limits);
    return begin(input);
  };
  await ask([first]);
  const other = { ...first, info: { ...first.info, model: { providerID: 'fake', modelID: 'another' } } };
  await ask([other]);
  assert.deepEqual(limits, [{ window: 100_000, inputLimit: 90_000 }, undefined]);
});

test('agents.md trap: a title is asked for with the session’s own id, before and between the hooks of its request', async context => {
  const { hooks, ask, sessions } = host(context);
  const title = async (): Promise<void> => {
    const system = [TITLE];
    await hooks['experimental.chat.system.transform']({ sessionID: 'ses_1' }, { system });
    await hooks['chat.params']({ sessionID: 'ses_1', agent: 'title' }, {});
    assert.deepEqual(system, [TITLE]);
  };
  await title();
  await ask([first], { meanwhile: title });
  assert.equal(sessions[0]?.state.requests.length, 1);
});

test('the title generator is known also when opencode does not answer', async context => {
  const { hooks, ask, sessions } = host(context, {}, true);
  await ask([first], {
    meanwhile: () => hooks['experimental.chat.system.transform']({ sessionID: 'ses_1' }, { system: [TITLE] }),
  });
  assert.equal(sessions[0]?.state.requests.length, 1);
});

test('a compaction is opencode’s own call: it gets what it had, and no request is logged', async context => {
  const { hooks, ask, sessions } = host(context);
  await ask([first]);
  await hooks['experimental.session.compacting']({ sessionID: 'ses_1' });
  const list = [first, second, third];
  await hooks['experimental.chat.messages.transform']({}, { messages: list });
  assert.deepEqual(outputsOf(list), ['<!--ephemeral-->\nSECRET\n', 'hi\n']);
  await hooks['chat.params']({ sessionID: 'ses_1', agent: 'compaction' }, {});
  assert.equal(sessions[0]?.state.requests.length, 1);
  assert.match(outputsOf(await ask([first, second, third]))[0] as string, /^\[EPHEMERAL:/);
});

test('an answer is known by its event, which may come late or twice; one that failed consumes nothing', async context => {
  const { ask, updated, sessions } = host(context);
  await ask([first]);
  await updated(second.info);
  await ask([first, second]);
  await updated(second.info);
  assert.equal(sessions[0]?.state.requests.get(1)?.ended, undefined, 'the answer to the request before ends no other');
  const failed = answer('msg_3', [], 'error');
  await updated({ ...failed.info, error: { name: 'APIError' } });
  assert.deepEqual(outputsOf(await ask([first, second])), ['<!--ephemeral-->\nSECRET\n']);
  const { requests } = sessions[0]?.state ?? {};
  assert.deepEqual(
    [0, 1, 2].map(index => requests?.get(index)?.ended?.outcome),
    ['completed', 'failed', undefined],
  );
  assert.deepEqual(requests?.get(0)?.ended?.usage, { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 });
});

test('a session that is idle waits for no answer', async context => {
  const { hooks, ask, sessions } = host(context);
  await ask([first]);
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  assert.equal(sessions[0]?.state.requests.get(0)?.ended?.outcome, 'aborted');
});

test('a sub-agent’s session is the child of the one that started it, and its log is closed when it is done', async context => {
  const child = { id: 'ses_1', parentID: 'ses_0', version: '1.18.33' };
  const { hooks, ask, opened, sessions, told } = host(context, { ses_1: child });
  await ask([first]);
  assert.equal(opened[0]?.parent, 'ses_0');
  assert.equal(opened[0]?.agentVersion, '1.18.33');
  assert.deepEqual(told, [], 'a sub-agent has no start line of its own');
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  await assert.rejects(async () => sessions[0]?.buildRequest({ messages: [], config: {} }), /closed/);
  await ask([first]);
  assert.equal(opened.length, 2);
});

test('a discard between the messages and the system prompt of a request belongs to the next one', async context => {
  const { hooks, ask, sessions } = host(context);
  await ask([first]);
  const session = sessions[0] as Session;
  session.loadSource({
    source: 'AGENTS.md',
    class: 'context-file',
    text: '<!--BLOCK_ID:plan-->\nstep\n<!--/BLOCK_ID:plan-->\n',
  });
  const discard = (): Promise<void> =>
    assert.rejects(
      hooks['command.execute.before']({ command: 'context-discard', sessionID: 'ses_1', arguments: '"plan"' }),
      /Block plan is discarded/,
    );
  const list = await ask([first, second], { meanwhile: discard });
  assert.match(JSON.stringify(list[0]), /BLOCK_ID:plan/);
  assert.doesNotMatch(JSON.stringify(await ask([first, second, third])), /BLOCK_ID:plan/);
});

test('commands show their sentences and ask no model; those of others are left alone', async context => {
  const { hooks, told } = host(context);
  const config = { command: { mine: { template: 'x' } } };
  await hooks.config(config);
  assert.deepEqual(Object.keys(config.command), ['mine', 'context-discard', 'context-usage', 'context-status']);
  const run = (command: string, text: string) =>
    hooks['command.execute.before']({ command, sessionID: 'ses_1', arguments: text });
  await run('mine', '');
  await assert.rejects(run('context-status', ''), /no block is active/);
  await assert.rejects(run('context-usage', ''), /Nothing was sent yet/);
  await assert.rejects(run('context-discard', 'No ID'), /Say which block/);
  await assert.rejects(run('context-discard', 'plan'), /There is no block plan\./);
  assert.equal(told.at(-1), 'There is no block plan.');
});

test('an error in the view rejects, so that opencode sends nothing, and is told', async context => {
  const { hooks, ask, told, sessions } = host(context);
  await ask([first]);
  await sessions[0]?.close();
  await assert.rejects(hooks['experimental.chat.messages.transform']({}, { messages: [first] }), /closed/);
  assert.match(told.at(-1) ?? '', /^The request was not sent\. The session is closed/);
});

test('T-27 what a provider said of its refusal is reported, but where opencode tries again', () => {
  const { info } = answer('msg_3', [], 'error');
  const ended = (data: unknown) => endedBy({ ...info, error: { name: 'ContextOverflowError', data } });
  assert.deepEqual(ended({ message: 'prompt is too long', responseBody: '{"code":1}' }), {
    outcome: 'failed',
    error: 'prompt is too long\n{"code":1}',
  });
  assert.deepEqual(ended({ message: 'too many tokens', isRetryable: true }), { outcome: 'failed' });
  assert.deepEqual(ended({ message: 7 }), { outcome: 'failed' });
  assert.deepEqual(ended(undefined), { outcome: 'failed' });
  assert.deepEqual(endedBy({ ...info, error: { name: 'MessageAbortedError', data: { message: 'x' } } }), {
    outcome: 'aborted',
  });
});

test('T-43 a session that finds drift stops opencode before the request leaves, and the next one goes on', async context => {
  const { hooks, ask, opened, sessions, told } = host(context);
  await ask([first]);
  const session = sessions[0] as Session;
  const begin = session.beginRequest.bind(session);
  session.beginRequest = async input => {
    opened[0]?.pause?.('It drifts.');
    return begin(input);
  };
  await assert.rejects(
    hooks['experimental.chat.messages.transform']({}, { messages: [first] }),
    /^StoppedError: The agent was stopped\. It drifts\.$/,
  );
  assert.equal(told.at(-1), 'The request was not sent. The agent was stopped. It drifts.');
  session.beginRequest = begin;
  await ask([first]);
  assert.equal(session.state.requests.length, 2);
});

test('a request that opencode never asked parameters for was not sent', async context => {
  const { hooks, ask, sessions } = host(context);
  await hooks['experimental.chat.messages.transform']({}, { messages: [first] });
  await ask([first]);
  assert.equal(sessions[0]?.state.requests.length, 1);
});

test('parameters without a system prompt before them are refused', async context => {
  const { hooks } = host(context);
  await hooks['experimental.chat.messages.transform']({}, { messages: [first] });
  await assert.rejects(
    hooks['chat.params']({ sessionID: 'ses_1', agent: 'build' }, {}),
    /without showing its system prompt/,
  );
});

test('of many sessions those not used longest are closed, and go on with their logs', async context => {
  const { ask, hooks, opened } = host(context);
  const inSession = (id: string): OpencodeMessage => ({ ...first, info: { ...first.info, sessionID: id } });
  for (let index = 0; index < 20; index += 1) {
    await ask([inSession(`ses_${index}`)]);
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: `ses_${index}` } } });
  }
  await ask([inSession('ses_19')]);
  assert.equal(opened.length, 20);
  await ask([inSession('ses_0')]);
  assert.equal(opened.length, 21);
});
