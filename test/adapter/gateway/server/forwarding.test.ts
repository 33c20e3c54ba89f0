import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { headerText } from '../../../../adapter/gateway/server/forwardedHeaders.ts';
import { startGatewayServer } from '../../../../adapter/gateway/server/gatewayServer.ts';
import { UPSTREAM_OPTIONS } from '../../../../adapter/gateway/server/upstream.ts';
import { inTime } from '../../../server/deadline.ts';
import { FakeCalls } from '../kit/fakeCalls.ts';
import { FakeUpstream } from '../kit/fakeUpstream.ts';
import { startKit } from '../kit/gatewayKit.ts';
import { head } from '../kit/rawAgent.ts';

/** Raw header lines as pairs, without those of the connection. */
function pairs(raw: readonly string[], ...without: readonly string[]): readonly string[] {
  return raw.flatMap((name, at) =>
    at % 2 === 0 && !without.includes(name.toLowerCase()) ? [`${name}: ${raw[at + 1]}`] : [],
  );
}

test('gateway upstream: no time-out of the HTTP library on a running answer, no redirects, one request at a time', () => {
  assert.equal(UPSTREAM_OPTIONS.headersTimeout, 0);
  assert.equal(UPSTREAM_OPTIONS.bodyTimeout, 0);
  assert.equal(UPSTREAM_OPTIONS.pipelining, 1);
  assert.ok(!('interceptors' in UPSTREAM_OPTIONS));
});

test('gateway upstream: credentials and all other headers go on as they came, those of the connection do not', async t => {
  const kit = await startKit(t, (_, response) => void response.end('ok'));
  const { port, token } = kit.gateway;
  const agent = kit.raw();
  agent.socket.write(
    `${head(
      `POST /${token}/anthropic/v1/messages HTTP/1.1`,
      `Host: localhost:${port}`,
      'Authorization: Bearer sk-1',
      'X-API-Key: sk-2',
      'x-goog-api-key: sk-3',
      'X-Two: first',
      'x-two: second',
      'Accept-Encoding: gzip, br',
      'anthropic-beta: a,b',
      'X-Latin: caf\u00e9',
      'Connection: close, X-Secret-Hop',
      'X-Secret-Hop: 1',
      'Keep-Alive: timeout=5',
      'TE: trailers',
      'Trailer: X-End',
      'Proxy-Authorization: Basic x',
      'Proxy-Connection: keep-alive',
      'Content-Length: 2',
    )}{}`,
    'latin1',
  );
  await agent.whole();
  const [left] = kit.upstream.requests;
  assert.equal(left?.headers.host, kit.upstream.url.host);
  assert.deepEqual(pairs(left?.rawHeaders ?? [], 'host', 'connection'), [
    'Authorization: Bearer sk-1',
    'X-API-Key: sk-2',
    'x-goog-api-key: sk-3',
    'X-Two: first',
    'x-two: second',
    'anthropic-beta: a,b',
    'X-Latin: caf\u00e9',
    'accept-encoding: identity',
    'content-length: 2',
  ]);
  assert.doesNotMatch(left?.headers.connection ?? '', /secret/i);
});

test('gateway upstream: status, header lines in order with duplicates, and bytes come back as they are', async t => {
  const bytes = Buffer.from([0, 1, 2, 255, 10, 13]);
  const kit = await startKit(t, (_, response) => {
    response.sendDate = false;
    response.writeHead(429, 'Too Fast', [
      ['Retry-After', '3'],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['X-Request-Id', 'r1'],
      ['Content-Encoding', 'gzip'],
      ['Connection', 'X-Hop'],
      ['X-Hop', '1'],
      ['Content-Length', String(bytes.length)],
    ] as unknown as string[]);
    response.end(bytes);
  });
  const sending = httpRequest(kit.url('/v1/messages'), { method: 'POST' });
  sending.end('{}');
  const [answer] = (await inTime(once(sending, 'response'), 'the answer')) as [IncomingMessage];
  const ended = once(answer, 'end');
  const [received] = await inTime(once(answer, 'data'), 'the bytes');
  await inTime(ended, 'the end');
  assert.deepEqual([answer.statusCode, answer.statusMessage], [429, 'Too Fast']);
  assert.deepEqual(pairs(answer.rawHeaders, 'connection', 'keep-alive'), [
    'Retry-After: 3',
    'Set-Cookie: a=1',
    'set-cookie: b=2',
    'X-Request-Id: r1',
    'Content-Encoding: gzip',
    'Content-Length: 6',
  ]);
  assert.ok(bytes.equals(received), 'never decoded');
});

test('gateway upstream: a redirect is handed back, not followed', async t => {
  const other = await FakeUpstream.start(t, (_, response) => void response.end('the other host'));
  const kit = await startKit(t, (_, response) => void response.writeHead(307, { location: other.url.href }).end());
  for (const path of ['/v1/messages', '/v1/files']) {
    const answer = await fetch(kit.url(path), { method: 'POST', body: '{}', redirect: 'manual' });
    assert.equal(answer.status, 307);
    assert.equal(answer.headers.get('location'), other.url.href);
  }
  assert.equal(other.requests.length, 0);
});

test("gateway upstream: each provider's path is put behind its own address, the query byte for byte", async t => {
  const calls = new FakeCalls();
  const answer = (_: unknown, response: { end(text: string): unknown }): void => void response.end('ok');
  const [anthropic, openai, gemini] = [
    await FakeUpstream.start(t, answer),
    await FakeUpstream.start(t, answer, '/proxy/base/'),
    await FakeUpstream.start(t, answer, '/g'),
  ];
  const gateway = await startGatewayServer({
    calls,
    upstreams: { anthropic: anthropic.url, openai: openai.url, gemini: gemini.url },
    port: 0,
  });
  t.after(() => gateway.close());
  const base = `http://127.0.0.1:${gateway.port}/${gateway.token}`;
  const cases: readonly (readonly [sent: string, upstream: FakeUpstream, url: string])[] = [
    ['/anthropic/v1/messages?beta=true', anthropic, '/v1/messages?beta=true'],
    ['/anthropic', anthropic, '/'],
    ['/openai/v1/responses', openai, '/proxy/base/v1/responses'],
    ['/s/work-1/openai/v1/models/', openai, '/proxy/base/v1/models/'],
    [
      '/s/work-1/gemini/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      gemini,
      '/g/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    ],
    ['/gemini/v1beta/x%20y?a=%2e%2E//../&b=[]{}|%7C?c', gemini, '/g/v1beta/x%20y?a=%2e%2E//../&b=[]{}|%7C?c'],
  ];
  for (const [sent, upstream, url] of cases) {
    const sending = httpRequest(base, { path: `/${gateway.token}${sent}`, method: 'POST' });
    sending.end('{}');
    const [response] = (await inTime(once(sending, 'response'), sent)) as [IncomingMessage];
    response.resume();
    assert.equal(upstream.requests.at(-1)?.url, url, sent);
  }
  assert.deepEqual(
    calls.seen.map(({ provider, path, sessionName }) => [provider, path, sessionName]),
    [['anthropic', '/v1/messages', undefined]],
  );
});

test('gateway upstream: a session name from the path comes to the session as a label', async t => {
  const kit = await startKit(t, (_, response) => void response.end('ok'));
  const { port, token } = kit.gateway;
  await fetch(`http://127.0.0.1:${port}/${token}/s/Work.1_a-b/anthropic/v1/messages`, { method: 'POST', body: '{}' });
  assert.equal(kit.calls.seen[0]?.sessionName, 'Work.1_a-b');
});

test('gateway upstream: an address that is none is refused in words', async t => {
  const kit = await startKit(t, (_, response) => void response.end());
  for (const address of ['ftp://x/', 'https://user:secret@x/', 'https://x/?a=b', 'file:///etc/passwd']) {
    const { url } = kit.upstream;
    const starting = startGatewayServer({
      calls: kit.calls,
      upstreams: { anthropic: url, openai: new URL(address), gemini: url },
      port: 0,
    });
    await assert.rejects(
      starting,
      (error: Error) => /address for openai cannot be used/.test(error.message) && !/secret/.test(error.message),
    );
  }
});

test('gateway upstream: HEAD, 204 and 304 answers have no body and keep the connection', async t => {
  const kit = await startKit(t, ({ method }, response) => {
    const status = method === 'HEAD' ? 200 : method === 'DELETE' ? 204 : 304;
    response.writeHead(status, method === 'HEAD' ? { 'content-length': '50' } : {}).end();
  });
  const { port, token } = kit.gateway;
  const agent = kit.raw();
  for (const [count, method] of [
    [1, 'HEAD'],
    [2, 'DELETE'],
    [3, 'GET'],
  ] as const) {
    agent.socket.write(head(`${method} /${token}/anthropic/v1/models HTTP/1.1`, `Host: localhost:${port}`));
    const text = await agent.until(method, received => received.split('\r\n\r\n').length === count + 1);
    assert.doesNotMatch(text, /transfer-encoding/i);
  }
});

test('gateway upstream: expect: 100-continue is answered by the gateway and goes no further', async t => {
  const kit = await startKit(t, (_, response) => void response.end('ok'));
  const { port, token } = kit.gateway;
  for (const path of ['messages', 'files']) {
    const agent = kit.raw();
    agent.socket.write(
      head(
        `POST /${token}/anthropic/v1/${path} HTTP/1.1`,
        `Host: localhost:${port}`,
        'Expect: 100-continue',
        'Content-Length: 2',
        'Connection: close',
      ),
    );
    await agent.until('100', text => text === 'HTTP/1.1 100 Continue\r\n\r\n');
    agent.socket.write('{}');
    assert.match(await agent.whole(), /HTTP\/1\.1 200 /);
    assert.equal(kit.upstream.requests.at(-1)?.headers.expect, undefined);
  }
  const other = kit.raw();
  other.socket.write(
    head(`POST /${token}/anthropic/v1/files HTTP/1.1`, `Host: localhost:${port}`, 'Expect: magic', 'Connection: close'),
  );
  assert.match(await other.whole(), /^HTTP\/1\.1 417 /);
});

test("gateway upstream: an agent's connection and the upstream's serve many requests", async t => {
  const kit = await startKit(t, (_, response) => void response.end('ok'));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ports = new Set<number | undefined>();
  for (let at = 0; at < 20; at += 1) {
    const sending = httpRequest(kit.url('/v1/messages'), { method: 'POST', agent });
    sending.end('{}');
    const [response] = (await inTime(once(sending, 'response'), 'the answer')) as [IncomingMessage];
    response.resume();
    await inTime(once(response, 'end'), 'the end');
    ports.add(sending.socket?.localPort);
  }
  assert.equal(ports.size, 1);
  assert.ok(kit.upstream.sockets.size <= 2, `${kit.upstream.sockets.size} connections`);
});

test('gateway upstream: a notice becomes a header in printable ASCII, bounded', async t => {
  const kit = await startKit(
    t,
    (_, response) => void response.writeHead(200, { 'X-Context-Lifecycle': 'of the upstream' }).end('ok'),
  );
  const notice = `Session caf\u00e9 \r\nX-Evil: 1 \u{1f600} ${'long '.repeat(200)}`;
  kit.calls.prepareWith = () => ({ kind: 'pass', notice });
  const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{"a":1}' });
  assert.match(answer.headers.get('x-context-lifecycle') ?? '', /^Session caf\? X-Evil: 1 \?\? long /);
  assert.equal(answer.headers.get('x-evil'), null);
  assert.deepEqual(kit.notices, [notice]);
  assert.equal(kit.upstream.requests[0]?.body.toString(), '{"a":1}');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => assert.match(headerText(text, 300), /^[\x20-\x7e]{0,300}$/)),
  );
});
