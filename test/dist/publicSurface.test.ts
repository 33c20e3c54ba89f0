import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { o200kTokens } from '../../adapter/tokens/o200k.ts';
import { product } from '../../protocol/product.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { runTool } from '../../scripts/build/tools.ts';
import { makeConsumer } from './consumer.ts';

// Everything here runs what a user installs, with the user's Node.
const consumer = await makeConsumer();
after(() => consumer.remove());

const document = '<!--BLOCK_ID:a-->\ntext\n<!--/BLOCK_ID:a-->\n<!--DISCARD_BLOCK:a-->\n';

function write(name: string, text: string): string {
  const file = join(consumer.folder, name);
  writeFileSync(file, text);
  return file;
}

/** A command of the package as npm linked it, run with the user's Node. */
function command(name: string, args: readonly string[]) {
  return consumer.run([join(consumer.folder, 'node_modules', '.bin', name), ...args]);
}

test('context-lifecycle/protocol parses a document', async () => {
  const script = `import { parseDocument } from 'context-lifecycle/protocol';
console.log(JSON.stringify(parseDocument(${JSON.stringify(document)})));`;
  const { exitCode, output } = await consumer.run([write('parse.mjs', script)]);
  assert.equal(exitCode, 0, output);
  assert.deepEqual(JSON.parse(output), {
    ephemeral: false,
    blocks: [{ id: 'a', content: 'text\n', startLine: 1, endLine: 3 }],
    discards: [{ blockId: 'a', line: 4 }],
    ordinaryMarkdown: '<!--DISCARD_BLOCK:a-->\n',
    problems: [],
  });
});

test('context-lifecycle/protocol writes a header to a log and rebuilds the request from it', async () => {
  const script = `import { CorruptLogError, deriveMessages, foldRequestHeader, recordHeader, rebuildRequest } from 'context-lifecycle/protocol';
const events = [{ type: 'step/start', seq: 0, time: 0, data: { turn: 1, step: 1 } }];
const header = { config: { model: 'm' }, system: 'a\\nb' };
events.push({ ...recordHeader(events, { loggedHeader: false }, header), seq: 1, time: 0 });
events.push({ ...recordHeader(events, { loggedHeader: true }, { ...header, system: 'a' }), seq: 2, time: 0 });
console.log(JSON.stringify([events[2].data, foldRequestHeader(events), rebuildRequest(events, 0), deriveMessages(events)]));
try { foldRequestHeader(events.slice(2)); } catch (error) { console.log(error instanceof CorruptLogError, error.index, error.seq); }`;
  const { exitCode, output } = await consumer.run([write('log.mjs', script)]);
  assert.equal(exitCode, 0, output);
  const [made = '', error] = output.trim().split('\n');
  assert.deepEqual(JSON.parse(made), [
    { system: { keepStart: 1, keepEnd: 0, insert: [] } },
    { config: { model: 'm' }, system: 'a' },
    { model: 'm', system: 'a', messages: [] },
    [],
  ]);
  assert.equal(error, 'true 0 2');
});

test('context-lifecycle/protocol reads a log, folds it, and says what happened', async () => {
  const lines = [
    { version: 1, id: 'x', agent: 'test', created: 5 },
    {
      type: 'session/opened',
      seq: 0,
      time: 6,
      data: { reason: 'new', agent: 'test', format: 'seed-2', content: 'full', policy: { rules: [] } },
    },
    { type: 'turn/start', seq: 1, time: 7, data: { turn: 1, trigger: { kind: 'message' } } },
    { type: 'nobody/knows', seq: 2, time: 8, data: {} },
  ];
  const log = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  const script = `import { eventSentence, initialState, readLogText, reduce, renderMessage } from 'context-lifecycle/protocol';
const { events, fault } = readLogText(${JSON.stringify(log)});
console.log(events.reduce(reduce, initialState).turn.turn, fault.index);
for (const event of events) console.log(renderMessage(eventSentence(event)));`;
  const { exitCode, output } = await consumer.run([write('read.mjs', script)]);
  assert.equal(exitCode, 0, output);
  assert.deepEqual(output.trim().split('\n'), ['1 2', 'A session of test began.', 'Turn 1 began.']);
});

test('context-lifecycle/adapter opens a session that obeys a block and logs what was sent', async () => {
  const script = `import { openSession } from 'context-lifecycle/adapter';
import { readFileSync } from 'node:fs';
const session = await openSession({ agent: 'test', folder: process.argv[2] });
session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: '<!--BLOCK_ID:a-->\\nbe kind\\n<!--/BLOCK_ID:a-->\\n' });
const sealed = await session.buildRequest({ messages: [{ role: 'user', content: 'go' }], config: { model: 'm' } });
session.response(sealed.requestSequence, { outcome: 'completed' });
await session.close();
const lines = readFileSync(session.logFile, 'utf8').trim().split('\\n').map(line => JSON.parse(line).type);
console.log(sealed.messages.length, sealed.hash.length, lines.at(-1));`;
  const { exitCode, output } = await consumer.run([write('session.mjs', script), join(consumer.folder, 'sessions')]);
  assert.equal(exitCode, 0, output);
  assert.equal(output.trim(), '2 64 session/closed');
});

test('context-lifecycle/protocol can be required too, from a Node that can', async () => {
  const script = "console.log(require('context-lifecycle/protocol').parseDocument('<!--ephemeral-->').ephemeral);";
  const { exitCode, output } = await consumer.run(['--no-warnings', write('parse.cjs', script)]);
  assert.equal(exitCode, 0, output);
  assert.equal(output.trim(), 'true');
});

test('context-lifecycle/pi gives the function that pi calls', async () => {
  const script = `import extension from 'context-lifecycle/pi';
const events = [];
extension({ on: name => events.push(name), registerCommand: name => events.push('/' + name) });
console.log(events.join(' '));`;
  const { exitCode, output } = await consumer.run([write('pi.mjs', script)]);
  assert.equal(exitCode, 0, output);
  assert.match(output, /^session_start .*\bcontext\b.* \/context-discard \/context-usage \/context-status$/m);
});

test('context-lifecycle/opencode gives the one function that opencode calls', async () => {
  const script = `import * as all from 'context-lifecycle/opencode';
const hooks = await all.contextLifecycle({ client: {}, directory: '/', worktree: '/' });
console.log(Object.keys(all).join(), Object.keys(hooks).join(' '));`;
  const { exitCode, output } = await consumer.run([write('opencode.mjs', script)]);
  assert.equal(exitCode, 0, output);
  // opencode takes each export for a plug-in of its own
  assert.match(output, /^contextLifecycle .*experimental\.chat\.messages\.transform/m);
});

test('context-lifecycle/ai-sdk seals a prompt and gives it back with the blocks', async () => {
  const script = `import { contextLifecycle } from 'context-lifecycle/ai-sdk';
const lifecycle = contextLifecycle({ folder: './lifecycle', sources: [{ source: 'rules', text: ${JSON.stringify('<!--BLOCK_ID:b-->\nx\n<!--/BLOCK_ID:b-->\n')} }] });
const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
const { prompt } = await lifecycle.transformParams({ params, model: { provider: 'p', modelId: 'm' } });
console.log(JSON.stringify(prompt.map(({ content }) => content[0].text)), await lifecycle.discard('b'));
await lifecycle.close();`;
  const { exitCode, output } = await consumer.run([write('ai-sdk.mjs', script)]);
  assert.equal(exitCode, 0, output);
  assert.equal(output.trim(), `${JSON.stringify(['<!--BLOCK_ID:b-->\nx\n<!--/BLOCK_ID:b-->\n', 'hi'])} discarded`);
});

test('nothing but the documented paths can be imported', async () => {
  const script = `for (const path of ['', '/dist/cli.js', '/dist/protocol.js', '/package.json'])
  await import('context-lifecycle' + path, path.endsWith('.json') ? { with: { type: 'json' } } : undefined).then(
    () => console.log(path, 'opens'), error => console.log(path, error.code));`;
  const { output } = await consumer.run(['--no-warnings', write('deep.mjs', script)]);
  assert.deepEqual(output.trim().split('\n'), [
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
    '/dist/cli.js ERR_PACKAGE_PATH_NOT_EXPORTED',
    '/dist/protocol.js ERR_PACKAGE_PATH_NOT_EXPORTED',
    '/package.json opens',
  ]);
});

for (const [module, resolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const) {
  test(`a program compiles against the types under ${resolution}, and a wrong one does not`, async () => {
    const right = `import { type ParsedDocument, parseDocument } from 'context-lifecycle/protocol';
const parsed: ParsedDocument = parseDocument('');
export const lines: readonly number[] = parsed.blocks.map(block => block.endLine - block.startLine);
export const codes: readonly string[] = parsed.problems.map(problem => problem.code);\n`;
    const wrong = `import { parseDocument } from 'context-lifecycle/protocol';
export const id: number = parseDocument('').blocks[0]?.id;\n`;
    const options = ['--noEmit', '--ignoreConfig', '--strict', '--module', module, '--moduleResolution', resolution];
    const compile = (name: string, text: string) =>
      runTool('typescript', [...options, '--types', '', write(name, text)], 'tsc');
    const good = await compile(`right-${resolution}.ts`, right);
    assert.equal(good.exitCode, 0, good.output);
    assert.match((await compile(`wrong-${resolution}.ts`, wrong)).output, /TS2322/);
  });
}

for (const name of ['context-lifecycle', 'context-lifecycle-server']) {
  test(`${name} --version prints the product's version`, async () => {
    const { exitCode, output } = await command(name, ['--version']);
    assert.equal(exitCode, 0, output);
    assert.ok(output.includes(product.version), output);
  });

  test(`${name} --help says how to use it`, async () => {
    const { exitCode, output } = await command(name, ['--help']);
    assert.equal(exitCode, 0, output);
    assert.match(output, name.endsWith('server') ? /--stdio/ : /check/);
  });
}

test('the types of the adapter are those that programs can name, and nothing from inside a session', () => {
  const files = readdirSync(join(consumer.installed, 'dist/types/adapter'), { recursive: true, encoding: 'utf8' });
  assert.ok(files.includes('sessionTypes.d.ts'));
  for (const inside of ['agentSession', 'requestBuilder', 'sessionLog', 'host/sessionHost']) {
    assert.ok(!files.includes(`${inside}.d.ts`), inside);
  }
});

test('context-lifecycle parse prints what a file declares', async () => {
  const { exitCode, output } = await command('context-lifecycle', ['parse', write('AGENTS.md', document)]);
  assert.equal(exitCode, 0, output);
  const parsed = JSON.parse(output) as { readonly blocks: readonly { readonly id: string }[] };
  assert.deepEqual(
    parsed.blocks.map(block => block.id),
    ['a'],
  );
});

test('context-lifecycle check finds a nested block and exits 1', async () => {
  const nested = '<!--BLOCK_ID:a-->\n<!--BLOCK_ID:b-->\n<!--/BLOCK_ID:a-->\n';
  const { exitCode, output } = await command('context-lifecycle', ['check', write('nested.md', nested)]);
  assert.equal(exitCode, 1, output);
  assert.match(output, /nested-block/);
});

test('the worker that counts tokens counts as its source does', async () => {
  // Each kind of token that the vocabulary writes differently, bytes that are no UTF-8 among them.
  const texts = [
    'const answer = 42; // an ordinary line of code\n',
    'Привет, мир! 日本語のテキスト、 👩‍💻😀 and \ud83d alone',
    '\0\u0001\u007f\u0080\u00ff\ufeff\u2028\u2029<|endoftext|>',
    Array.from({ length: 30_000 }, (_, code) => String.fromCodePoint(code + 0x20)).join(''),
  ];
  const worker = join(consumer.installed, 'dist/tokenWorker.js');
  const script = `import { Worker } from 'node:worker_threads';
const worker = new Worker(${JSON.stringify(worker)});
worker.on('message', ({ counts }) => { console.log(JSON.stringify(counts)); worker.terminate(); });
worker.postMessage({ texts: ${JSON.stringify(texts)} });`;
  const { exitCode, output } = await consumer.run([write('count.mjs', script)]);
  assert.equal(exitCode, 0, output);
  assert.deepEqual(JSON.parse(output), texts.map(o200kTokens));
});

test('every bundle carries its licence notices along', () => {
  const notices = readFileSync(join(consumer.installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  assert.match(notices, /^vscode-languageserver \d/m);
  assert.match(notices, /Permission is hereby granted/);
  assert.equal(notices, readFileSync(inRepository('dist/THIRD-PARTY-NOTICES.txt'), 'utf8'));
});
