import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { startGatewayServer } from '../../../../adapter/gateway/server/gatewayServer.ts';
import { SERVER_LIMITS } from '../../../../adapter/gateway/server/serverLimits.ts';
import { inTime } from '../../../server/deadline.ts';
import { FakeCalls } from '../kit/fakeCalls.ts';
import { FakeUpstream, Gate } from '../kit/fakeUpstream.ts';
import { startKit } from '../kit/gatewayKit.ts';
import { head, RawAgent } from '../kit/rawAgent.ts';

test('gateway uploads: an agent that goes away in the middle ends the request at the upstream', async t => {
  const first = new Gate('the first piece was there');
  const saw = new Gate('the upstream saw the end');
  const upstream = await FakeUpstream.bare(t, request => {
    request.once('data', () => first.open());
    request.on('error', () => saw.open());
  });
  const kit = await startKit(t, upstream);
  const sending = httpRequest(kit.url('/v1/files'), { method: 'POST' });
  sending.on('error', () => {});
  sending.write('the first piece');
  await first.wait();
  sending.destroy();
  await saw.wait();
  assert.deepEqual(kit.faults, []);
});

test("gateway uploads: an upstream that answers before it has read all is heard, and the agent's connection lives", async t => {
  const upstream = await FakeUpstream.bare(t, (_, response) => {
    response.writeHead(413).end('too much');
  });
  const kit = await startKit(t, upstream);
  const sending = httpRequest(kit.url('/v1/files'), { method: 'POST' });
  sending.on('error', () => {});
  const answered = once(sending, 'response');
  sending.write(Buffer.alloc(2_000_000, 'x'));
  const [answer] = (await inTime(answered, 'the answer')) as [IncomingMessage];
  assert.equal(answer.statusCode, 413);
  const ended = once(answer, 'end');
  answer.resume();
  sending.end(Buffer.alloc(2_000_000, 'y'));
  await inTime(ended, 'the end');
});

test('gateway uploads: an upstream that dies in the middle is answered with 502 in words', async t => {
  const upstream = await FakeUpstream.bare(t, request => {
    request.once('data', () => request.socket.resetAndDestroy());
  });
  const kit = await startKit(t, upstream);
  const sending = httpRequest(kit.url('/v1/files'), { method: 'POST' });
  sending.on('error', () => {});
  const answered = once(sending, 'response');
  sending.write(Buffer.alloc(100_000, 'x'));
  const [answer] = (await inTime(answered, 'the answer')) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 502);
  sending.end();
});

test('gateway uploads: connections beyond the bound are closed at once, and those within it live', async t => {
  const kit = await startKit(t, (_, response) => void response.end('ok'));
  const agents: RawAgent[] = [];
  for (let at = 0; at < SERVER_LIMITS.connections; at += 1) {
    const agent = kit.raw();
    agents.push(agent);
    await once(agent.socket, 'connect');
  }
  const extra = kit.raw();
  assert.equal(await extra.whole(), '');
  const { port, token } = kit.gateway;
  agents[0]?.socket.write(`GET /${token}/anthropic/v1/models HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await agents[0]?.until('the answer', text => text.startsWith('HTTP/1.1 200'));
});

test('gateway uploads: an upstream elsewhere is reached by the proxy that the environment names, one on this machine directly', async t => {
  const upstream = await FakeUpstream.start(t, (_, response) => void response.end('ok'));
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const there = connect({ port: Number(upstream.url.port), host: '127.0.0.1' });
    there.on('error', () => {});
    socket.on('error', () => {});
    there.once('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const names = ['http_proxy', 'no_proxy', 'NO_PROXY'] as const;
  const before = names.map(name => process.env[name]);
  t.after(() => {
    for (const [at, name] of names.entries()) {
      if (before[at] === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = before[at];
      }
    }
  });
  process.env['http_proxy'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  process.env['no_proxy'] = '';
  process.env['NO_PROXY'] = '';
  const start = () =>
    startGatewayServer({
      calls: new FakeCalls(),
      upstreams: { anthropic: new URL('http://model.example'), openai: upstream.url, gemini: upstream.url },
      port: 0,
    });
  const gateway = await start();
  t.after(() => gateway.close());
  const base = `http://127.0.0.1:${gateway.port}/${gateway.token}`;
  assert.equal(await (await fetch(`${base}/openai/v1/models`)).text(), 'ok');
  assert.deepEqual(asked, []);
  const raw = new RawAgent(t, gateway.port);
  raw.socket.write(
    `${head(
      `POST /${gateway.token}/anthropic/v1/messages HTTP/1.1`,
      `Host: localhost:${gateway.port}`,
      'X-Two: first',
      '__proto__: x',
      'X-Two: second',
      'Content-Length: 2',
      'Connection: close',
    )}{}`,
  );
  assert.match(await raw.whole(), /^HTTP\/1\.1 200 /);
  const lines = upstream.requests.at(-1)?.rawHeaders.join('\n') ?? '';
  assert.match(lines, /X-Two\nfirst\nX-Two\nsecond\n/);
  assert.match(lines, /__proto__\nx\n/);
  assert.deepEqual(asked, ['model.example:80']);
  assert.equal(upstream.requests.at(-1)?.headers.host, 'model.example');
  process.env['http_proxy'] = 'not an address with pass:word@';
  await assert.rejects(start(), (error: Error) => error.message.startsWith('The proxy') && !/word/.test(error.message));
});
