import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { inTime } from './deadline.ts';
import { serverEntry } from './lspProcess.ts';

/** JSON-RPC by hand: a header, a blank line, and as many bytes of JSON as the header says. No library takes part. */
class BareClient {
  readonly #child = spawn(process.execPath, [serverEntry, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  readonly #messages: AsyncGenerator<Message>;
  readonly notifications: Message[] = [];
  #id = 0;

  constructor() {
    this.#messages = readMessages(this.#child.stdout);
  }

  send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  notify(method: string, params: object): void {
    this.send({ method, params });
  }

  async ask(method: string, params?: object): Promise<Message> {
    const id = ++this.#id;
    this.send({ id, method, params });
    return this.next(message => message.id === id && message.method === undefined);
  }

  /** The next message that fits; notifications on the way are kept. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const { value, done } = await inTime(this.#messages.next(), 'A message');
      assert.ok(!done, 'the server has closed its output');
      if (fits(value)) {
        return value;
      }
      this.notifications.push(value);
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  async exit(): Promise<number | null> {
    const exited = once(this.#child, 'exit');
    this.notify('exit', {});
    const [code] = (await inTime(exited, 'The end of the server')) as [number | null];
    return code;
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly version: number; readonly diagnostics: readonly Shown[] };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Shown {
  readonly code: string;
  readonly range: object;
}

async function* readMessages(output: AsyncIterable<Buffer>): AsyncGenerator<Message> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of output) {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) {
        break;
      }
      const header = bytes.subarray(0, end).toString('ascii');
      const length = Number(/^Content-Length: (\d+)$/im.exec(header)?.[1]);
      assert.ok(Number.isInteger(length), `no frame of the protocol: ${JSON.stringify(header)}`);
      if (bytes.length < end + 4 + length) {
        break;
      }
      yield JSON.parse(bytes.subarray(end + 4, end + 4 + length).toString('utf8')) as Message;
      bytes = bytes.subarray(end + 4 + length);
    }
  }
}

const uri = 'file:///bare/AGENTS.md';
const textDocument = { uri };

test('a bare script initializes, opens, changes, reads diagnostics, hovers, renames and shuts down', async () => {
  using client = new BareClient();
  const { result } = await client.ask('initialize', { processId: null, rootUri: null, capabilities: {} });
  const { capabilities, serverInfo } = result as {
    capabilities: Record<string, unknown>;
    serverInfo: { name: string };
  };
  assert.equal(serverInfo.name, 'Context Lifecycle');
  assert.equal(capabilities['positionEncoding'], 'utf-16');
  assert.equal(capabilities['hoverProvider'], true);
  client.notify('initialized', {});

  const text = '<!--BLOCK_ID:a-->\nText.\n';
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'markdown', version: 1, text } });
  const published = (version: number) => (message: Message) =>
    message.method === 'textDocument/publishDiagnostics' && message.params?.version === version;
  const open = await client.next(published(1));
  assert.deepEqual(
    open.params?.diagnostics.map(({ code, range }) => ({ code, range })),
    [{ code: 'unclosed-block', range: { start: { line: 0, character: 0 }, end: { line: 0, character: 17 } } }],
  );

  client.notify('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, text: '<!--/BLOCK_ID:a-->\n' },
    ],
  });
  assert.deepEqual((await client.next(published(2))).params?.diagnostics, []);

  const position = { line: 0, character: 13 };
  const hover = await client.ask('textDocument/hover', { textDocument, position });
  assert.equal((hover.result as { contents: { kind: string } }).contents.kind, 'plaintext');

  const renamed = await client.ask('textDocument/rename', { textDocument, position, newName: 'better' });
  assert.deepEqual(renamed.result, {
    changes: {
      [uri]: [0, 2].map(line => ({
        range: { start: { line, character: 13 + line / 2 }, end: { line, character: 14 + line / 2 } },
        newText: 'better',
      })),
    },
  });
  const refused = await client.ask('textDocument/rename', { textDocument, position, newName: 'Not Legal' });
  assert.match(refused.error?.message ?? '', /cannot be a block ID/);

  assert.equal((await client.ask('shutdown')).result, null);
  assert.equal(await client.exit(), 0);
  assert.ok(
    client.notifications.every(({ method }) => method === 'window/logMessage'),
    'nothing but the log came unasked',
  );
});
