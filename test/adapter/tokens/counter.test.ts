import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { estimatedTokens } from '../../../adapter/tokens/estimate.ts';
import { o200kTokens } from '../../../adapter/tokens/o200k.ts';
import { openTokenCounter, type TokenCounterOptions } from '../../../adapter/tokens/openTokenCounter.ts';
import { repository } from '../../../scripts/build/paths.ts';

/** Long enough for any machine: a test that waits for it fails by its numbers. */
const patience = 60_000;

function counterFor(context: TestContext, options: TokenCounterOptions = {}) {
  const counter = openTokenCounter({ patience, ...options });
  context.after(() => counter.close());
  return counter;
}

/** A worker script of a test's own. */
function workerScript(context: TestContext, code: string): URL {
  const folder = mkdtempSync(path.join(tmpdir(), 'token-worker-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'worker.mjs');
  writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${code}`);
  return pathToFileURL(file);
}

const exact = (text: string) => ({ tokens: o200kTokens(text), origin: 'exact' });
const estimate = (text: string) => ({ tokens: estimatedTokens(text), origin: 'estimated' });

test('counts are exact, in the order of the texts, and nothing has no tokens', async context => {
  const texts = ['Hello, world', '', '<|endoftext|>', 'Hello, world', '='.repeat(70_000), '日本語のテキスト', '\ud83d'];
  assert.deepEqual(await counterFor(context).count(texts), texts.map(exact));
});

test('users-ask 62: what was counted before is not counted again, by its content', async context => {
  const counter = counterFor(context);
  const long = 'a long text of many words. '.repeat(200);
  await counter.count([long, 'short', 'short']);
  assert.deepEqual(counter.work, { counted: 2, known: 1 });
  await counter.count([`${long.slice(0, 100)}${long.slice(100)}`, 'short', 'new']);
  assert.deepEqual(counter.work, { counted: 3, known: 3 });
});

test('a text that is on its way is not sent twice', async context => {
  const counter = counterFor(context);
  const [first, second] = await Promise.all([counter.count(['one text']), counter.count(['one text', 'another'])]);
  assert.deepEqual([first, second], [[exact('one text')], [exact('one text'), exact('another')]]);
  assert.deepEqual(counter.work, { counted: 2, known: 1 });
});

test('an estimate is given at once, and the number itself when it is known', async context => {
  const counter = counterFor(context);
  assert.deepEqual(counter.estimate('some words of text'), estimate('some words of text'));
  assert.equal(counter.work.counted, 0, 'an estimate loads no worker');
  await counter.count(['some words of text']);
  assert.deepEqual(counter.estimate('some words of text'), exact('some words of text'));
  assert.deepEqual(counter.estimate(''), { tokens: 0, origin: 'exact' });
});

test('while the worker is busy numbers are estimates', async context => {
  const worker = workerScript(
    context,
    `let held = [];
    parentPort.on('message', ({ texts }) => {
      const [text] = texts;
      if (text === 'hold') { held.push(texts); return; }
      parentPort.postMessage({ counts: texts.map(() => 7) });
    });`,
  );
  const counter = counterFor(context, { worker, patience: 1 });
  assert.deepEqual(await counter.count(['hold']), [estimate('hold')]);
  assert.deepEqual(await counter.count(['behind it']), [estimate('behind it')]);
  assert.equal(counter.estimatesOnly, false);
});

test('what comes after patience has ended is remembered', async context => {
  const counter = counterFor(context, { patience: 1 });
  const texts = ['counted in the background'];
  for (let asked = 0; asked < 10_000 && (await counter.count(texts))[0]?.origin !== 'exact'; asked++) {
    // Each call waits a little.
  }
  assert.deepEqual(await counter.count(texts), texts.map(exact));
  assert.equal(counter.work.counted, 1);
});

test('a worker that crashes gives estimates, is started once more, and does not get the same text again', async context => {
  const worker = workerScript(
    context,
    `parentPort.on('message', ({ texts }) => {
      if (texts.includes('poison')) process.exit(3);
      parentPort.postMessage({ counts: texts.map(() => 7) });
    });`,
  );
  const counter = counterFor(context, { worker });
  assert.deepEqual(await counter.count(['poison']), [estimate('poison')]);
  assert.deepEqual(await counter.count(['poison', 'fine']), [estimate('poison'), { tokens: 7, origin: 'exact' }]);
  assert.deepEqual([counter.problem, counter.estimatesOnly], [undefined, false]);
});

test('a worker that crashes twice is given up, with a sentence', async context => {
  const worker = workerScript(context, 'throw new Error("broken");');
  const counter = counterFor(context, { worker });
  for (const text of ['one', 'two', 'three', 'four']) {
    assert.deepEqual(await counter.count([text]), [estimate(text)]);
  }
  assert.equal(counter.problem, 'Token numbers are estimates: the thread that counts tokens ended twice.');
  assert.equal(counter.estimatesOnly, true);
});

test('a text that the worker cannot count is an estimate, and the others are not', async context => {
  const worker = workerScript(
    context,
    "parentPort.on('message', ({ texts }) => parentPort.postMessage({ counts: texts.map((_, at) => at === 1 ? null : 7) }));",
  );
  const [first, second, third] = await counterFor(context, { worker }).count(['a', 'b', 'c']);
  assert.deepEqual([first?.origin, second, third?.origin], ['exact', estimate('b'), 'exact']);
});

test('where the worker is missing numbers are estimates, and a sentence says which file', async context => {
  const worker = pathToFileURL(path.join(tmpdir(), 'nowhere', 'tokenWorker.js'));
  const counter = counterFor(context, { worker });
  assert.deepEqual(await counter.count(['some text', 'more']), [estimate('some text'), estimate('more')]);
  assert.deepEqual(await counter.count(['even more']), [estimate('even more')]);
  assert.match(counter.problem ?? '', /^Token numbers are estimates: .*nowhere\/tokenWorker\.js\)\.$/);
});

test('closing settles who waits, and leaves no worker', async () => {
  const counter = openTokenCounter({ patience });
  const text = 'many words, '.repeat(50_000);
  const counting = counter.count([text]);
  await counter.close();
  assert.deepEqual(await counting, [estimate(text)]);
  assert.deepEqual(await counter.count(['later']), [estimate('later')]);
  assert.ok(!process.getActiveResourcesInfo().includes('MessagePort'));
  await counter.close();
});

test('closing a counter that never counted does nothing', async () => {
  const counter = openTokenCounter();
  await counter.close();
  assert.equal(counter.work.counted, 0);
});

test('a worker with nothing to do is unloaded, however often, and loaded again when it is needed', async context => {
  const worker = workerScript(
    context,
    `import { threadId } from 'node:worker_threads';
    parentPort.on('message', ({ texts }) => parentPort.postMessage({ counts: texts.map(() => threadId) }));`,
  );
  const counter = counterFor(context, { worker, idle: 1 });
  const threads = new Set<number>();
  for (let at = 0; threads.size < 4; at++) {
    assert.ok(at < 10_000, 'the worker stays');
    const [amount] = await counter.count([`text ${at}`]);
    assert.equal(amount?.origin, 'exact');
    threads.add(amount?.tokens ?? 0);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  assert.equal(counter.problem, undefined);
});

test('what is remembered is bounded by entries and by bytes', async context => {
  const few = counterFor(context, { maxEntries: 2 });
  await few.count(['one', 'two', 'three']);
  assert.deepEqual(
    ['one', 'two', 'three'].map(text => few.estimate(text).origin),
    ['estimated', 'exact', 'exact'],
  );
  const small = counterFor(context, { maxBytes: 250 });
  assert.deepEqual(await small.count(['one', 'two', 'three']), ['one', 'two', 'three'].map(exact));
  assert.deepEqual(
    ['one', 'two', 'three'].map(text => small.estimate(text).origin),
    ['estimated', 'exact', 'exact'],
  );
});

/** Runs a program with the Node of the tests, and gives its exit code and what it printed. */
function run(code: string): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
    cwd: repository,
    timeout: 30_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
  }
  return new Promise(resolve => child.on('close', exitCode => resolve({ exitCode, output })));
}

test('an agent that counted and has nothing more to do ends, without closing', async () => {
  const module = pathToFileURL(path.join(repository, 'adapter/tokens/openTokenCounter.ts')).href;
  const { exitCode, output } = await run(
    `import { openTokenCounter } from ${JSON.stringify(module)};
    const counter = openTokenCounter({ patience: 60000 });
    console.log((await counter.count(['Hello, world'])).map(({ origin }) => origin).join());`,
  );
  assert.deepEqual({ exitCode, output }, { exitCode: 0, output: 'exact\n' });
});

test('an agent that ends while a count is on its way waits for its patience at most', async () => {
  const module = pathToFileURL(path.join(repository, 'adapter/tokens/openTokenCounter.ts')).href;
  const { exitCode, output } = await run(
    `import { openTokenCounter } from ${JSON.stringify(module)};
    const counter = openTokenCounter({ patience: 1 });
    console.log((await counter.count(['words '.repeat(1_000_000)])).map(({ origin }) => origin).join());`,
  );
  assert.deepEqual({ exitCode, output }, { exitCode: 0, output: 'estimated\n' });
});

for (const [where, options] of [
  ['an ES module in another folder', { format: 'esm', outfile: 'agent.mjs' }],
  [
    'a CommonJS file, which has no address',
    { format: 'cjs', outfile: 'agent.cjs', logOverride: { 'empty-import-meta': 'silent' } },
  ],
] as const) {
  test(`an agent that was bundled with its adapter into ${where} gets estimates, and a sentence`, async context => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bundled-agent-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const outfile = path.join(folder, options.outfile);
    await build({
      ...options,
      outfile,
      stdin: {
        resolveDir: repository,
        contents: `import { openTokenCounter } from './adapter/tokens/openTokenCounter.ts';
          const counter = openTokenCounter();
          counter.count(['Hello, world']).then(([{ origin }]) => console.log(origin, counter.problem));`,
      },
      bundle: true,
      platform: 'node',
    });
    const { exitCode, output } = await run(`await import(${JSON.stringify(pathToFileURL(outfile).href)});`);
    assert.equal(exitCode, 0, output);
    assert.match(output, /^estimated Token numbers are estimates: .*\(there is no .*tokenWorker\.js.*\)\.\n$/);
  });
}
