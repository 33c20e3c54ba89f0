import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import {
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { product } from '../../protocol/product.ts';
import { inTime } from './deadline.ts';
import { LspProcess, serverEntry } from './lspProcess.ts';

test('the server says its name and version, and ends with 0 after shutdown and exit', async () => {
  await using server = await LspProcess.start();
  assert.deepEqual(server.initializeResult.serverInfo, { name: product.displayName, version: product.version });
  assert.equal(await server.stop(), 0);
  assert.equal(server.stderr, '');
});

for (const [offered, answered] of [
  [undefined, 'utf-16'],
  [[], 'utf-16'],
  [['utf-7'], 'utf-16'],
  [['utf-32', 'utf-8'], 'utf-32'],
] as const) {
  test(`editor-bugs 13: a client that offers ${JSON.stringify(offered)} is told ${answered} in so many words`, async () => {
    const general = offered ? { positionEncodings: [...offered] } : {};
    await using server = await LspProcess.start({ profile: 'minimal', capabilities: { general } });
    assert.equal(server.initializeResult.capabilities.positionEncoding, answered);
  });
}

test('exit without shutdown ends with 1', async () => {
  await using server = await LspProcess.start();
  const exited = once(server.child, 'exit');
  await server.notify('exit', undefined);
  assert.deepEqual(await inTime(exited, 'The end of the server'), [1, null]);
});

/** A parent that starts the server with its own descriptor 3 as standard input, or with a pipe that it feeds. */
const parentScript = `
  import { spawn } from 'node:child_process';
  const [entry, how] = process.argv.slice(1);
  const server = spawn(process.execPath, [entry, '--stdio'], { stdio: [how === 'pipe' ? 'pipe' : 3, 'inherit', 'inherit'] });
  if (how === 'pipe') process.stdin.pipe(server.stdin);
`;

for (const [how, why] of [
  ['pipe', 'its standard input ends'],
  ['descriptor', 'the process of processId is gone'],
] as const) {
  test(`editor-bugs 56: the parent is killed, and the server ends because ${why}`, async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', parentScript, serverEntry, how], {
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    });
    // Whoever still holds the output lives: it closes only when parent and server are both gone.
    const closed = once(parent.stdout!, 'close');
    const input = how === 'pipe' ? parent.stdin : parent.stdio[3];
    const connection = createMessageConnection(
      new StreamMessageReader(parent.stdout!),
      new StreamMessageWriter(input as NodeJS.WritableStream),
    );
    connection.listen();
    const params = { processId: how === 'pipe' ? null : parent.pid, rootUri: null, capabilities: {} };
    await inTime(connection.sendRequest('initialize', params), 'The answer to initialize');
    parent.kill('SIGKILL');
    await inTime(closed, 'The end of the server');
    connection.dispose();
  });
}

test('standard output carries the protocol only: what code prints becomes log messages', async () => {
  const stray = `setInterval(() => {
    console.log('stray log'); console.error('stray error'); console.info({ stray: 'object' }); console.table([1]);
  }, 20);`;
  await using server = await LspProcess.start({
    nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(stray)}`],
  });
  for (const text of ['stray log', 'stray error', "{ stray: 'object' }"]) {
    await server.notified<{ message: string }>('window/logMessage', ({ message }) => message === text);
  }
  // The reader throws at the first byte that is no protocol, so an answer proves that there was none.
  await server.open('untitled:a.md', '<!--ephemeral-->\n');
  assert.equal((await server.pull('untitled:a.md')).kind, 'full');
  assert.equal(await server.stop(), 0);
});

test('an error that nobody waits for is logged, and requests go on', async () => {
  const bad = `setTimeout(() => { void Promise.reject(new Error('lost promise')); setTimeout(() => { throw new Error('lost error'); }); }, 300);`;
  await using server = await LspProcess.start({
    nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(bad)}`],
  });
  for (const text of ['lost promise', 'lost error']) {
    await server.notified<{ message: string }>('window/logMessage', ({ message }) => message.includes(text));
  }
  await server.open('untitled:a.md', '<!--ephemeral-->\n');
  assert.equal((await server.pull('untitled:a.md')).kind, 'full');
});

test('a request with senseless parameters gets an error that is logged, and the next one its answer', async () => {
  await using server = await LspProcess.start();
  for (const method of ['hover', 'diagnostic', 'codeAction', 'rename']) {
    const from = server.notifications.length;
    await assert.rejects(server.request(`textDocument/${method}`, { nonsense: true }));
    const failed = ({ message }: { message: string }) => /^A request failed: TypeError.*\n/.test(message);
    await server.notified('window/logMessage', failed, from);
  }
  await assert.rejects(server.request('textDocument/diagnostic', null));
  await server.notify('textDocument/didChange', { textDocument: { uri: 'untitled:x' }, contentChanges: 'what?' });
  await server.open('untitled:a.md', '<!--ephemeral-->\n');
  assert.equal((await server.pull('untitled:a.md')).kind, 'full');
});

test('a place that is no whole number is refused at once, and the next request gets its answer', async () => {
  await using server = await LspProcess.start();
  const uri = 'untitled:a.md';
  await server.open(uri, '<!--BLOCK_ID:a-->\ntext\n');
  for (const position of [{}, { line: 0 }, { line: 0, character: 0.5 }, { line: '0', character: '0' }, null]) {
    const params = {
      textDocument: { uri },
      position,
      positions: [position],
      range: { start: position, end: position },
      context: { diagnostics: [] },
    };
    for (const method of ['hover', 'completion', 'selectionRange', 'codeAction']) {
      await assert.rejects(server.request(`textDocument/${method}`, params), { code: ErrorCodes.InvalidParams });
    }
    const change = { range: { start: position, end: position }, text: 'x' };
    await server.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [change] });
  }
  assert.equal((await server.pull(uri)).items.length, 1);
});

test('a document whose text is no string is refused, and all others are served', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  const bad = { uri: 'untitled:bad.md', languageId: 'markdown', version: 1, text: 5 };
  await server.notify('textDocument/didOpen', { textDocument: bad });
  await server.open('untitled:good.md', '<!--BLOCK_ID:a-->\n');
  await server.published('untitled:good.md', ({ diagnostics }) => diagnostics.length === 1);
  await server.change('untitled:good.md', [{ text: 5 } as never]);
  await server.change('untitled:good.md', '<!--ephemeral-->\n');
  await server.published('untitled:good.md', ({ diagnostics }) => diagnostics.length === 0);
  assert.equal(
    await server.request('textDocument/hover', { textDocument: bad, position: { line: 0, character: 0 } }),
    null,
  );
});

test('requests before initialize are refused, and a second initialize forgets nothing', async () => {
  const child = spawn(process.execPath, [serverEntry, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const hover = { textDocument: { uri: 'untitled:a.md' }, position: { line: 0, character: 0 } };
  const initialize = { processId: null, rootUri: null, capabilities: {} };
  const send = async (method: string, params: object) => inTime(connection.sendRequest(method, params), method);
  await assert.rejects(send('textDocument/hover', hover), { code: ErrorCodes.ServerNotInitialized });
  await send('initialize', initialize);
  const textDocument = { uri: 'untitled:a.md', languageId: 'markdown', version: 1, text: '<!--ephemeral-->' };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await assert.rejects(send('initialize', initialize), { code: ErrorCodes.InvalidRequest });
  await assert.rejects(send('unheard/of', {}), { code: ErrorCodes.MethodNotFound });
  assert.ok(await send('textDocument/hover', hover));
  connection.dispose();
  child.stdin.end();
  await inTime(exited, 'The end of the server');
});

test('the server talks over a socket, and ends when the socket closes', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const child = spawn(process.execPath, [serverEntry, `--socket=${port}`], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const [socket] = (await inTime(once(listener, 'connection'), 'The connection')) as [Socket];
  const connection: MessageConnection = createMessageConnection(
    new StreamMessageReader(socket),
    new StreamMessageWriter(socket),
  );
  connection.listen();
  const params = { processId: null, rootUri: null, capabilities: {} };
  const answer = await inTime(connection.sendRequest<{ serverInfo: object }>('initialize', params), 'The answer');
  assert.ok(answer.serverInfo);
  socket.destroy();
  await inTime(exited, 'The end of the server');
  listener.close();
});

test('the server talks over Node’s channel between processes, and ends when that closes', async () => {
  const child = spawn(process.execPath, [serverEntry, '--node-ipc'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const exited = once(child, 'exit');
  child.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { processId: null, rootUri: null, capabilities: {} },
  });
  const [answer] = await inTime(once(child, 'message'), 'The answer to initialize');
  assert.equal((answer as { id: number }).id, 1);
  child.disconnect();
  await inTime(exited, 'The end of the server');
});

test('a port on which nobody listens gets one sentence and exit code 1', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  listener.close();
  await once(listener, 'close');
  const child = spawn(process.execPath, [serverEntry, `--socket=${port}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [text] = await Promise.all([
    child.stderr.setEncoding('utf8').toArray(),
    inTime(once(child, 'exit'), 'The end of the server'),
  ]);
  assert.match(text.join(''), new RegExp(`^Nobody listens on port ${port}: .*\\n$`));
  assert.equal(child.exitCode, 1);
});
