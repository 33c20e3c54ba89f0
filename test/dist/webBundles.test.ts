import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Context, createContext, runInContext } from 'node:vm';
import { product } from '../../protocol/product.ts';
import { unexpectedImports } from '../../scripts/build/builtins.ts';
import { bundle } from '../../scripts/build/bundles.ts';
import { entries } from '../../scripts/build/entries.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { build } from '../../scripts/build.ts';

await build();

interface Answer {
  readonly id?: number;
  readonly result?: { readonly serverInfo?: { readonly name: string } };
}

/** What a worker has and plain JavaScript has not, as far as the bundles need it. */
function workerGlobals(): Record<string, unknown> {
  return {
    console,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    queueMicrotask,
    performance,
    TextEncoder,
    TextDecoder,
    URL,
    AbortController,
  };
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}

function dist(file: string): string {
  return readFileSync(inRepository('dist', file), 'utf8');
}

/** Runs a bundle; a failure does not print its one long line. */
function runWithoutSource(file: string, context: Context): void {
  try {
    runInContext(dist(file), context, { filename: file, displayErrors: false });
  } catch (error) {
    assert.fail(`${file} fails when it is loaded: ${String(error)}`);
  }
}

for (const entry of entries.filter(({ runsOn }) => runsOn !== 'node')) {
  test(`dist/${entry.output} asks its host for no module but ${entry.external.join() || 'none'}`, async () => {
    assert.deepEqual(unexpectedImports(await bundle(entry)), []);
    assert.doesNotMatch(dist(entry.output), /\brequire\(["'](?!vscode["'])|\bfrom ?["']node:|importScripts/);
  });
}

test('the server answers initialize in a worker that has no Node', { timeout: 30_000 }, async () => {
  const { promise, resolve } = deferred<Answer>();
  const worker: Record<string, unknown> = {
    ...workerGlobals(),
    addEventListener: () => undefined,
    postMessage: (message: Answer) => {
      if (message.id === 1) resolve(message);
    },
  };
  worker['self'] = worker;
  runWithoutSource('server.web.js', createContext(worker));
  const params = { processId: null, rootUri: null, capabilities: {} };
  const { onmessage } = worker as { onmessage(event: { readonly data: unknown }): void };
  onmessage({ data: { jsonrpc: '2.0', id: 1, method: 'initialize', params } });
  const { result } = await promise;
  assert.equal(result?.serverInfo?.name, product.displayName);
});

test('the browser client loads as the web extension host loads it and exports activate', () => {
  const asked: string[] = [];
  // Classes can be extended, functions called and members read: as much of the editor's API as loading touches.
  const anything: unknown = new Proxy(function Anything() {}, {
    get: (target, key): unknown => Reflect.get(target, key) ?? anything,
  });
  const require = (name: string): unknown => {
    asked.push(name);
    return anything;
  };
  const module = { exports: {} as Record<string, unknown> };
  const context = createContext({ ...workerGlobals(), module, exports: module.exports, require });
  runWithoutSource('client.web.cjs', context);
  assert.equal(typeof module.exports['activate'], 'function');
  assert.deepEqual([...new Set(asked)], ['vscode']);
});
