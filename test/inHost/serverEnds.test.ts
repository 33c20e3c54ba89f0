import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient';
import { LanguageClient } from 'vscode-languageclient/node';
import { makeServerClient, type ServerClient } from '../../client/serverClient.ts';
import { type ServerCondition, ServerLife } from '../../client/serverLife.ts';
import { type FakeServer, fakeServer, type ServerScript } from './fakeServer.ts';
import { until } from './kit.ts';

/** What the library's own limit of failed writes needs to be reached. */
const manyRequests = 5;

const healthy: ServerScript = (server, method) => server.answer(method);

/** Each moment at which a server can end, as what it does when a message of the client arrives. */
const moments: Readonly<Record<string, ServerScript>> = {
  'before it has read anything': server => {
    server.die();
    server.closed();
  },
  'when it has read initialize': (server, method) => {
    if (method === 'initialize') {
      server.die();
      setImmediate(() => server.closed());
    }
  },
  'in the moment of its answer to initialize': (server, method) => {
    server.answer(method);
    server.die();
    server.closed();
  },
  'after its answer to initialize, and what the client writes fails before it knows': (server, method) => {
    server.answer(method);
    server.request(manyRequests);
    server.die();
    server.closedAfterFailures(manyRequests);
  },
  'when it runs, and what the client writes fails before it knows': (server, method) => {
    server.answer(method);
    if (method === 'initialized') {
      setImmediate(() => {
        server.request(manyRequests);
        server.die();
        server.closedAfterFailures(manyRequests);
      });
    }
  },
  'when it runs and nothing is said': (server, method) => {
    server.answer(method);
    if (method === 'initialized') {
      setImmediate(() => {
        server.die();
        server.closed();
      });
    }
  },
};

suite('a server that ends by itself', () => {
  let script = healthy;
  let servers: FakeServer[] = [];
  let reports: ServerCondition[] = [];
  let life: ServerLife<ServerClient>;
  // never disposed: the library writes to it even after a client's end
  let channel: vscode.LogOutputChannel;

  suiteSetup(() => {
    channel = vscode.window.createOutputChannel('Server that ends', { log: true });
  });

  setup(() => {
    servers = [];
    reports = [];
    life = new ServerLife<ServerClient>({
      makeClient: signals => makeServerClient(make, { log: channel, trace: channel }, signals),
      report: condition => reports.push(condition),
      log: text => channel.warn(text),
    });
  });

  teardown(() => life.dispose());

  function make(options: LanguageClientOptions): ServerClient {
    const start = async () => {
      const server = fakeServer(script);
      servers.push(server);
      return server.transports;
    };
    const language = new QuietClient('serverThatEnds', 'Server that ends', start, options);
    return { language, start: () => language.start(), dispose: () => language.dispose() };
  }

  const stops = () => reports.filter(({ state }) => state === 'stopped');

  for (const [moment, ends] of Object.entries(moments)) {
    test(`editor-bugs 54: ${moment}, it has crashed: four times the next one starts, the fifth is the last`, async () => {
      script = ends;
      void life.restart();
      await until('the server has stopped for good', () => stops()[0]);
      assert.deepEqual(
        stops().map(({ reason }) => reason?.template),
        ['The language server ended five times within three minutes.'],
      );
      assert.equal(servers.length, 5);
      script = healthy;
      await life.restart();
      assert.equal(reports.at(-1)?.state, 'running');
      assert.equal(servers.length, 6);
    });
  }

  test('a connection that reports an error is given up and made anew, during a start the error is told', async () => {
    script = healthy;
    await life.restart();
    servers[0]?.fail('an exception nobody caught');
    await until('the next server runs', () => servers[1] && life.running);
    script = server => server.fail('no such script');
    await life.restart();
    assert.deepEqual(
      stops().map(({ reason }) => reason?.values),
      [['no such script']],
    );
  });
});

/** As in the product, where the status and one notification say what the library would. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}
