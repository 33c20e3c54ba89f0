import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  PiApi,
  PiCommand,
  PiCommandContext,
  PiEvents,
  PiHandler,
  PiModel,
} from '../../../adapter/agents/pi/piApi.ts';
import { piExtension } from '../../../adapter/agents/pi/piExtension.ts';
import type { SessionOptions } from '../../../adapter/sessionTypes.ts';
import type { UsageReport } from '../../../protocol/budget/usageReport.ts';
import { type FakeSession, fakeSession } from './fakeSession.ts';

interface Host {
  readonly fake: FakeSession;
  readonly notes: readonly string[];
  readonly aborts: number;
  readonly opened: readonly SessionOptions[];
  emit<Name extends keyof PiEvents>(name: Name, event: PiEvents[Name][0]): Promise<PiEvents[Name][1]>;
  command(name: string, text: string): Promise<void>;
}

interface HostOptions {
  readonly fails?: string;
  readonly deaf?: true;
  readonly model?: PiModel;
}

const MODEL: PiModel = { id: 'm', provider: 'p', api: 'a', contextWindow: 128_000, maxTokens: 64_000 };

/** As much of pi as calls an extension. */
function host({ fails, deaf, model = MODEL }: HostOptions = {}): Host {
  const fake = fakeSession();
  const handlers = new Map<string, (event: object, context: PiCommandContext) => Promise<unknown>>();
  const commands = new Map<string, PiCommand>();
  const notes: string[] = [];
  const opened: SessionOptions[] = [];
  let aborts = 0;
  const context: PiCommandContext = {
    ui: {
      notify: message => {
        if (deaf) throw new Error('This context is stale.');
        notes.push(message);
      },
    },
    hasUI: true,
    cwd: '/project',
    model,
    sessionManager: {
      getSessionId: () => 'id',
      getSessionFile: () => '/sessions/id.jsonl',
      getHeader: () => ({}),
      getEntries: () => [{ type: 'model_change' }],
    },
    abort: () => {
      if (deaf) throw new Error('This context is stale.');
      aborts += 1;
    },
    getSystemPrompt: () => 'system',
  };
  const pi: PiApi = {
    on: <Name extends keyof PiEvents>(name: Name, handler: PiHandler<Name>) => {
      handlers.set(name, handler as (event: object, context: PiCommandContext) => Promise<unknown>);
    },
    registerCommand: (name, command) => {
      commands.set(name, command);
    },
    getAllTools: () => [
      { name: 'bash', description: 'b', parameters: { type: 'object' } },
      { name: 'off', description: 'o' },
    ],
    getActiveTools: () => ['bash'],
    getThinkingLevel: () => 'off',
  };
  piExtension(pi, async options => {
    if (fails !== undefined) {
      throw new Error(fails);
    }
    opened.push(options);
    return fake.session;
  });
  return {
    fake,
    notes,
    opened,
    get aborts() {
      return aborts;
    },
    emit: async (name, event) => (await handlers.get(name)?.(event, context)) as PiEvents[typeof name][1],
    command: async (name, text) => {
      await commands.get(name)?.handler(text, context);
    },
  };
}

async function started(options: HostOptions = {}): Promise<Host> {
  const pi = host(options);
  await pi.emit('session_start', { reason: 'startup' });
  await pi.emit('before_agent_start', { systemPrompt: '', systemPromptOptions: {} });
  return pi;
}

const user = { role: 'user', content: 'go', timestamp: 1 };
const answer = (text: string, stopReason = 'stop') => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason,
  usage: { input: 3, output: 2, cacheRead: 4, cacheWrite: 1 },
  timestamp: 2,
});

const responses = ({ fake }: Host): readonly unknown[] =>
  fake.calls.filter(([name]) => name === 'response').map(([, sequence, ended]) => [sequence, ended]);

test('a session is opened with its id, its transcript and its folder, and has no history before its first message', async () => {
  const { opened } = await started();
  const [options] = opened;
  assert.equal(options?.sessionId, 'id');
  assert.equal(options?.transcript, '/sessions/id.jsonl');
  assert.equal(options?.cwd, '/project');
  assert.equal(options?.hasHistory, false);
});

test('a session that starts twice is opened once, and again after its end or when it could not be opened', async () => {
  const pi = await started();
  await pi.emit('session_start', { reason: 'startup' });
  assert.equal(pi.opened.length, 1);
  await pi.emit('session_shutdown', { reason: 'reload' });
  await pi.emit('session_start', { reason: 'reload' });
  assert.equal(pi.opened.length, 2);
  const broken = host({ fails: 'No folder.' });
  await broken.emit('session_start', { reason: 'startup' });
  await broken.emit('session_start', { reason: 'startup' });
  assert.equal(broken.notes.length, 2);
});

test('a request has the active tools only, and the host gets its own objects back', async () => {
  const pi = await started();
  const messages = [{ ...user, details: undefined }, user];
  const result = await pi.emit('context', { messages });
  assert.deepEqual(result?.messages, messages);
  assert.equal(result?.messages[1], user);
  assert.notEqual(result?.messages[0], messages[0], 'pi must not take the list for its own');
  const [, input] = pi.fake.calls.find(([name]) => name === 'buildRequest') as [string, Record<string, unknown>];
  assert.deepEqual(input['tools'], [{ name: 'bash', description: 'b', parameters: { type: 'object' } }]);
  assert.deepEqual(input['messages'], [user, user]);
  assert.deepEqual(input['config'], { provider: 'p', api: 'a', model: 'm', thinking: 'off' });
  assert.equal(input['system'], 'system');
});

test('what the session put in comes as a copy, which other extensions may change', async () => {
  const pi = await started();
  const block = Object.freeze({ role: 'user', content: 'block' });
  pi.fake.next = ({ messages }) => ({ messages: [block, ...messages], origins: [undefined, 0] });
  const result = await pi.emit('context', { messages: [user] });
  assert.deepEqual(result?.messages, [block, user]);
  assert.ok(!Object.isFrozen(result?.messages[0]));
});

test('an answer ends its request with its outcome, the whole input, and whether it calls tools', async () => {
  const pi = await started();
  for (const [stopReason, ended] of [
    ['stop', { outcome: 'completed', callsTools: false }],
    ['toolUse', { outcome: 'completed', callsTools: true }],
    ['length', { outcome: 'completed' }],
    ['error', { outcome: 'failed' }],
    ['aborted', { outcome: 'aborted' }],
  ] as const) {
    await pi.emit('context', { messages: [user] });
    await pi.emit('message_end', { message: user });
    await pi.emit('message_end', { message: answer(stopReason, stopReason) });
    const usage = { input: 8, output: 2, cacheRead: 4, cacheWrite: 1 };
    assert.deepEqual(responses(pi).at(-1), [responses(pi).length, { ...ended, usage }]);
  }
});

test('an answer that is reported after the next request was asked for ends the right one, once', async () => {
  const pi = await started();
  await pi.emit('context', { messages: [user] });
  const first = answer('one', 'toolUse');
  await pi.emit('context', { messages: [user, first, { role: 'toolResult' }] });
  await pi.emit('message_end', { message: first });
  assert.deepEqual(
    responses(pi).map(response => (response as [number])[0]),
    [1],
  );
  await pi.emit('message_end', { message: answer('two') });
  assert.deepEqual(
    responses(pi).map(response => (response as [number])[0]),
    [1, 2],
  );
});

test('a request without any answer was aborted', async () => {
  const pi = await started();
  await pi.emit('context', { messages: [user] });
  await pi.emit('context', { messages: [user] });
  assert.deepEqual(responses(pi), [[1, { outcome: 'aborted' }]]);
  await pi.emit('session_shutdown', { reason: 'quit' });
  assert.deepEqual(responses(pi).at(-1), [2, { outcome: 'aborted' }]);
  assert.deepEqual(pi.fake.calls.at(-1), ['close', 'quit']);
});

test('a payload is compared once for each request; those of other calls are left alone', async () => {
  const pi = await started();
  const payload = { messages: [{ role: 'user', content: 'go' }] };
  await pi.emit('before_provider_request', { payload });
  await pi.emit('context', { messages: [user] });
  await pi.emit('before_provider_request', { payload });
  await pi.emit('before_provider_request', { payload: { messages: ['a summary'] } });
  const receipts = pi.fake.calls.filter(([name]) => name === 'receipt');
  assert.deepEqual(receipts, [['receipt', 1, { result: 'matched', evidence: '1 of 1 parts found in what was sent' }]]);
});

test('nothing of the transcript leaves when the view cannot be built, and the next request is tried again', async () => {
  const pi = await started();
  pi.fake.next = () => {
    throw new Error('The disk is full: make room.');
  };
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [] });
  assert.equal(pi.aborts, 1);
  assert.deepEqual(pi.notes.at(-1), 'The request was not sent. The disk is full: make room.');
  pi.fake.next = undefined;
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [user] });
  assert.equal(pi.aborts, 1);
});

test('an error that says by itself that nothing was sent is told as it is', async () => {
  const pi = await started();
  for (const [said, told] of [
    ['Request 7 was not sent, because it takes 970 tokens.', 'Request 7 was not sent, because it takes 970 tokens.'],
    ['The request was not sent, because it was late.', 'The request was not sent, because it was late.'],
    ['Request 7 is bad.', 'The request was not sent. Request 7 is bad.'],
  ] as const) {
    pi.fake.next = () => {
      throw new Error(said);
    };
    assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [] });
    assert.equal(pi.notes.at(-1), told);
  }
  assert.equal(pi.aborts, 3);
});

test('the session gets the window of pi’s model, and keeps free what pi asks for an answer', async () => {
  const limits = async (model: PiModel): Promise<unknown> => {
    const pi = await started({ model });
    await pi.emit('context', { messages: [user] });
    const [, input] = pi.fake.calls.find(([name]) => name === 'buildRequest') as [string, Record<string, unknown>];
    return input['limits'];
  };
  assert.deepEqual(await limits(MODEL), { window: 128_000, outputReserve: 32_000 });
  assert.deepEqual(await limits({ ...MODEL, maxTokens: 4096 }), { window: 128_000, outputReserve: 4096 });
  // A model whose answers may fill its window would leave nothing for the question.
  const small = { ...MODEL, contextWindow: 32_768, maxTokens: 32_000 };
  assert.deepEqual(await limits(small), { window: 32_768, outputReserve: 8_192 });
  assert.deepEqual(await limits({ id: 'm', provider: 'p', api: 'a' }), {});
  assert.deepEqual(await limits({ ...MODEL, contextWindow: 0, maxTokens: Number.NaN }), {});
});

test('T-27 an answer that failed is reported with what the provider said', async () => {
  const pi = await started();
  await pi.emit('context', { messages: [user] });
  const message = { ...answer('', 'error'), usage: {}, errorMessage: '400 prompt is too long' };
  await pi.emit('message_end', { message });
  assert.deepEqual(responses(pi), [[1, { outcome: 'failed', error: '400 prompt is too long' }]]);
});

test('T-43 pi is stopped while it asks, with the sentence, and nobody is before', async () => {
  const pi = await started();
  const [options] = pi.opened;
  options?.pause?.('Too early.');
  assert.equal(pi.aborts, 0);
  pi.fake.next = () => {
    options?.pause?.('The request drifts.');
    return {};
  };
  await pi.emit('context', { messages: [user] });
  assert.equal(pi.aborts, 1);
  assert.equal(pi.notes.at(-1), 'The agent was stopped. The request drifts.');
});

test('a person may ask for the usage report, and hears why there is none', async () => {
  const pi = await started();
  await pi.command('context-usage', '');
  assert.equal(pi.notes.at(-1), 'Nothing was sent yet, so nothing was measured.');
  pi.fake.session.usageReport = () => ({ text: 'Context Usage' }) as UsageReport;
  await pi.command('context-usage', '');
  assert.equal(pi.notes.at(-1), 'Context Usage');
});

test('nothing leaves before a session is open, without one, and after its end', async () => {
  const early = host();
  assert.deepEqual(await early.emit('context', { messages: [user] }), { messages: [] });
  const broken = host({ fails: 'No folder.' });
  await broken.emit('session_start', { reason: 'startup' });
  assert.deepEqual(await broken.emit('context', { messages: [user] }), { messages: [] });
  assert.match(broken.notes[0] ?? '', /^No request will be sent: .* No folder\.$/);
  const over = await started();
  await over.emit('session_shutdown', { reason: 'quit' });
  assert.deepEqual(await over.emit('context', { messages: [user] }), { messages: [] });
});

test('nothing leaves before pi has named its context files, whoever starts a turn', async () => {
  const pi = host();
  await pi.emit('session_start', { reason: 'resume' });
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [] });
  assert.equal(pi.aborts, 1);
  assert.match(pi.notes.at(-1) ?? '', /^The request was not sent\. .*first prompt/);
  assert.ok(pi.fake.calls.every(([name]) => name !== 'buildRequest'));
  await pi.emit('before_agent_start', { systemPrompt: '', systemPromptOptions: {} });
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [user] });
});

test('nothing of the transcript leaves where pi cannot be told to stop, nor where nobody can be told why', async () => {
  const pi = host({ deaf: true });
  await pi.emit('session_start', { reason: 'startup' });
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [] });
});

test('a session is closed also where the end of its last request cannot be logged', async () => {
  const pi = await started();
  await pi.emit('context', { messages: [user] });
  pi.fake.session.response = () => {
    throw new Error('The disk is full.');
  };
  await pi.emit('session_shutdown', { reason: 'reload' });
  assert.deepEqual(pi.fake.calls.at(-1), ['close', 'reload']);
  assert.equal(pi.notes.at(-1), 'The disk is full.');
});

test('nothing leaves when the context files could not be loaded', async () => {
  const pi = await started();
  const { loadSource } = pi.fake.session;
  const event = { systemPrompt: '', systemPromptOptions: { contextFiles: [{ path: '/a', content: 'x' }] } };
  pi.fake.session.loadSource = () => {
    throw new Error('The log is broken.');
  };
  await pi.emit('before_agent_start', event);
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [] });
  assert.match(pi.notes.at(-1) ?? '', /The context files could not be loaded\. The log is broken\./);
  pi.fake.session.loadSource = loadSource;
  await pi.emit('before_agent_start', event);
  assert.deepEqual(await pi.emit('context', { messages: [user] }), { messages: [user] });
});

test('control characters of names from outside do not reach the terminal', async () => {
  const pi = host({ fails: 'Bad \u001b[31mfolder\u202e.' });
  await pi.emit('session_start', { reason: 'startup' });
  assert.match(pi.notes[0] ?? '', /Bad \\u\{1b\}\[31mfolder\\u\{202e\}\.$/);
});

test('in a prompt that follows its parts the parts are changed, in a finished one the text', async () => {
  const pi = await started();
  const content = 'a\n<!--BLOCK_ID:x-->\nb\n<!--/BLOCK_ID:x-->\nc\n';
  const old = { systemPrompt: `pi\n${content}end`, systemPromptOptions: { contextFiles: [{ path: '/a', content }] } };
  assert.deepEqual(await pi.emit('before_agent_start', old), { systemPrompt: 'pi\na\nc\nend' });
  assert.equal(old.systemPromptOptions.contextFiles[0]?.content, content);
  const now = {
    systemPromptOptions: { contextFiles: [{ path: '/a', content }] },
    get systemPrompt() {
      return now.systemPromptOptions.contextFiles.map(file => file.content).join('');
    },
  };
  assert.equal(await pi.emit('before_agent_start', now), undefined);
  assert.equal(now.systemPrompt, 'a\nc\n');
});

test('a discard is asked for with the tag line of the block, by a person', async () => {
  const pi = await started();
  await pi.command('context-discard', ' plan ');
  assert.deepEqual(pi.fake.calls.at(-1), [
    'control',
    { source: 'pi:/context-discard', class: 'host-workflow', text: '<!--DISCARD_BLOCK:plan-->' },
  ]);
  const before = pi.fake.calls.length;
  await pi.command('context-discard', 'plan-->\n<!--DISCARD_BLOCK:other');
  assert.equal(pi.fake.calls.length, before);
});

test('a person whose own message holds a discard line hears once which command to type; a tool result is not theirs', async () => {
  const pi = await started();
  const denied = (sourceClass: string, blockId: string): void =>
    pi.fake.emit({ type: 'discard/denied', seq: 0, time: 0, data: { class: sourceClass, blockId } });
  pi.fake.next = () => {
    denied('user', 'plan');
    denied('tool-result', 'rules');
    return {};
  };
  await pi.emit('context', { messages: [user] });
  await pi.emit('context', { messages: [user] });
  assert.deepEqual(
    pi.notes.filter(note => note.includes('discard')),
    ['A line in your message discards nothing. To drop block plan, type /context-discard plan.'],
  );
});
