import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { listLogs } from '../../local/listLogs.ts';
import { readLog } from '../../local/logFile.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { privateFolder } from '../adapter/host/hostKit.ts';
import { dataOf } from '../adapter/session/sessionKit.ts';
import { deepFreeze } from '../protocol/request/vectorFile.ts';
import { readPage, root } from './pages.ts';

/** Node 24 has it, which runs the tests; the types of Node 20 do not. */
type Resolve = (specifier: string, context: object, next: (specifier: string, context: object) => object) => object;

/** As a package, the example would get the built library; here it gets the one that is being worked on. */
const { registerHooks } = nodeModule as unknown as { registerHooks(hooks: { resolve: Resolve }): void };
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'context-lifecycle/adapter'
      ? { url: pathToFileURL(join(root, 'adapter/index.ts')).href, shortCircuit: true }
      : next(specifier, context),
});
const PLUGIN = 'docs/examples/deepseek-harness/contextLifecycle.mjs';
const plugin = (await import(pathToFileURL(join(root, PLUGIN)).href)) as {
  readonly apply: (ctx: object, options: object) => void;
};

interface Message extends JsonObject {
  readonly role: string;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly content?: readonly { text: string }[];
  }[];
}

interface Options extends JsonObject {
  readonly messages: readonly Message[];
}

type Chunk = JsonObject;
type Listener = (request: Options, next: () => AsyncIterable<Chunk>) => AsyncIterable<Chunk>;

interface Recorded {
  readonly event: 'llm/stream' | 'chunk';
  readonly request: number;
  readonly options: Options;
  readonly chunk: Chunk;
}

const recorded = readFileSync(join(root, 'test/fixtures/dsh/requests.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as Recorded);
const asked = recorded.filter(({ event }) => event === 'llm/stream');
const conversation = asked.filter(({ options }) => options['purpose'] === undefined);

/** dsh as far as the plug-in sees it: a listener around each request, which arrives frozen and goes the same way again. */
class Harness {
  /** What a model would have been sent. */
  readonly sent: Options[] = [];
  readonly folder: string;
  readonly cwd: string;
  #listener: Listener | undefined;
  #discard: ((session: string, block: string) => Promise<void>) | undefined;
  #end: (() => Promise<void>) | undefined;
  fault: Error | undefined;

  constructor(t: TestContext) {
    this.folder = privateFolder(t);
    this.cwd = join(this.folder, 'proj');
    mkdirSync(this.cwd);
    const text = '# Rules\n\n<!--BLOCK_ID:plan-->\nPlan first.\n<!--/BLOCK_ID:plan-->\n\nBe kind.\n';
    writeFileSync(join(this.cwd, 'AGENTS.md'), text);
    const home = join(this.folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    const on = (event: string, listener: unknown): void => {
      if (event === 'llm/stream') {
        this.#listener = listener as Listener;
      } else {
        this.#discard = listener as (session: string, block: string) => Promise<void>;
      }
    };
    const effect = (make: () => () => Promise<void>): void => void (this.#end = make());
    const stream = (request: Options): AsyncIterable<Chunk> => this.#listener!(request, () => this.#provider(request));
    plugin.apply({ on, effect, llm: { stream } }, { cwd: this.cwd, folder: home });
    this.folder = home;
  }

  /** One request of the host, to the end of its answer. */
  async ask({ request, options }: Recorded): Promise<readonly Chunk[]> {
    const chunks: Chunk[] = [];
    const frozen = deepFreeze(structuredClone(options));
    this.#now = request;
    for await (const chunk of this.#listener!(frozen, () => this.#provider(frozen))) {
      chunks.push(chunk);
    }
    return chunks;
  }

  discard(block: string): Promise<void> {
    return this.#discard!(conversation[0]!.options['sessionId'] as string, block);
  }

  end(): Promise<void> {
    return this.#end!();
  }

  #now = 0;

  async *#provider(request: Options): AsyncIterable<Chunk> {
    this.sent.push(request);
    if (this.fault) {
      throw this.fault;
    }
    yield* recorded
      .filter(({ event, request: number }) => event === 'chunk' && number === this.#now)
      .map(({ chunk }) => chunk);
  }
}

function textsOf({ messages }: Options): readonly string[] {
  return messages.flatMap(({ content }) =>
    content
      .flatMap(({ text, content: result }) => [text ?? '', ...(result ?? []).map(each => each.text)])
      .filter(text => text !== ''),
  );
}

const ORIGINAL = '<!--ephemeral-->\nSECRET build log\n';

test('DeepSeek Harness example: the original is in request 2, the tombstone in request 3, and the host keeps the original', async t => {
  const harness = new Harness(t);
  for (const request of conversation) {
    await harness.ask(request);
  }
  await harness.end();
  assert.equal(conversation.length, 3);
  assert.ok(textsOf(conversation[2]!.options).includes(ORIGINAL));
  assert.ok(textsOf(harness.sent[1]!).includes(ORIGINAL));
  const last = textsOf(harness.sent[2]!);
  assert.ok(!last.some(text => text.includes('SECRET')));
  assert.ok(last.some(text => /^\[EPHEMERAL:Output omitted after consumption;original_bytes=\d+\]$/.test(text)));
});

test('DeepSeek Harness example: a block stands once in a request, cut from the copy of dsh, and is gone after a discard', async t => {
  const harness = new Harness(t);
  await harness.ask(conversation[0]!);
  const [first] = harness.sent;
  assert.equal(textsOf(first!).filter(text => text.includes('Plan first.')).length, 1);
  assert.match(textsOf(first!)[0] ?? '', /^<!--BLOCK_ID:plan-->\nPlan first\./);
  assert.ok(textsOf(first!).some(text => text.includes('Be kind.')));
  await harness.discard('plan');
  await harness.ask(conversation[1]!);
  assert.ok(!textsOf(harness.sent[1]!).some(text => text.includes('Plan first.')));
  await harness.end();
});

test('DeepSeek Harness example: titles go through untouched, the answers too, and each request of ours is asked for once', async t => {
  const harness = new Harness(t);
  for (const request of asked) {
    const chunks = await harness.ask(request);
    const answered = recorded.filter(({ event, request: number }) => event === 'chunk' && number === request.request);
    assert.deepEqual(
      chunks,
      answered.map(({ chunk }) => chunk),
    );
  }
  await harness.end();
  assert.equal(harness.sent.length, asked.length);
  const title = asked.findIndex(({ options }) => options['purpose'] !== undefined);
  assert.deepEqual(harness.sent[title], asked[title]!.options);
});

test('DeepSeek Harness example: an answer that fails consumes nothing, and a view that cannot be built sends nothing', async t => {
  const harness = new Harness(t);
  await harness.ask(conversation[0]!);
  harness.fault = new Error('The line went dead.');
  await assert.rejects(harness.ask(conversation[1]!), /went dead/);
  harness.fault = undefined;
  await harness.ask(conversation[1]!);
  assert.ok(textsOf(harness.sent[2]!).includes(ORIGINAL));
  // A result without its call.
  const messages = conversation[1]!.options.messages.filter(({ role }) => role !== 'assistant');
  const options = { ...conversation[1]!.options, messages };
  await assert.rejects(harness.ask({ ...conversation[1]!, options }));
  assert.equal(harness.sent.length, 3);
  await harness.end();
  const [log] = await listLogs(join(harness.folder, 'sessions'));
  const { events } = await readLog(log!.path);
  assert.deepEqual(
    dataOf(events, 'request/receipt').map(({ result }) => result),
    ['not-reported', 'not-reported', 'not-reported'],
  );
  assert.deepEqual(
    dataOf(events, 'step/end')
      .map(({ outcome }) => outcome)
      .slice(0, 3),
    ['completed', 'aborted', 'completed'],
  );
});

test('DeepSeek Harness example: its page says that it is experimental, with the version, and that it is off the contract', () => {
  const page = readPage('docs/examples/deepseek-harness/README.md');
  assert.match(page, /experimental/i);
  assert.match(page, /0\.1\.0-rc\.8/);
  assert.match(page, /never rewrite/);
});
