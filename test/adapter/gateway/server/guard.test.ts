import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import fc from 'fast-check';
import { startGatewayServer } from '../../../../adapter/gateway/server/gatewayServer.ts';
import { inTime } from '../../../server/deadline.ts';
import { type GatewayKit, startKit } from '../kit/gatewayKit.ts';
import { head } from '../kit/rawAgent.ts';

const SECRET = 'what only the upstream says';

function guarded(t: Parameters<typeof startKit>[0]): Promise<GatewayKit> {
  return startKit(t, (_, response) => void response.end(SECRET));
}

/** Sends a head alone, of a request whose body never comes, and asserts that it is refused and the connection closed all the same. */
async function assertForbidden(
  kit: GatewayKit,
  text: string,
  status = /^HTTP\/1\.1 (?:403 Forbidden|400 Bad Request)\r\n/,
): Promise<void> {
  const agent = kit.raw();
  agent.socket.write(text, 'latin1');
  const answer = await agent.whole();
  assert.match(answer, status, text);
  assert.doesNotMatch(answer, /access-control|100 continue/i);
  assert.ok(!answer.includes(kit.gateway.token));
  const [, body] = answer.split('\r\n\r\n');
  assert.match(body ?? '', /^(?:0\r?\n?)*$/, 'the answer says nothing; Node ends an empty one with a chunk of 0');
  assert.equal(kit.upstream.requests.length, 0, text);
  assert.equal(kit.calls.seen.length, 0);
}

const BODY_TO_COME = 'Content-Length: 50000000';

test('gateway guard: it listens on 127.0.0.1 only', async t => {
  const { gateway } = await guarded(t);
  const others = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(({ address, internal, family }) => !internal && family === 'IPv4' && address !== '127.0.0.1')
    .map(({ address }) => address);
  for (const host of [...others, '127.0.0.2', '::1']) {
    const outcome = new Promise(resolve => {
      const socket = connect({ host, port: gateway.port });
      socket.once('connect', () => resolve('connected'));
      socket.once('error', () => resolve('refused'));
      t.after(() => socket.destroy());
    });
    assert.equal(await inTime(outcome, `an answer of ${host}`), 'refused', host);
  }
});

test('gateway guard: the token has 128 bits and is another one each time', async t => {
  const [one, two] = [await guarded(t), await guarded(t)];
  assert.match(one.gateway.token, /^[0-9a-f]{32}$/);
  assert.notEqual(one.gateway.token, two.gateway.token);
  await assert.rejects(
    startGatewayServer({ calls: one.calls, upstreams: upstreams(one), port: 0, token: 'short' }),
    /at least 32 hex digits/,
  );
});

test('gateway guard: a request without the token, or with another, gets 403 before its body is read', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  for (const path of [
    '/',
    '/v1/messages',
    '/anthropic/v1/messages',
    `/${'0'.repeat(32)}/anthropic/v1/messages`,
    `/${token.slice(0, -1)}/anthropic/v1/messages`,
    `/${token}0/anthropic/v1/messages`,
    `/${token.toUpperCase()}x/anthropic/v1/messages`,
    `/x/${token}/anthropic/v1/messages`,
    `/${'0'.repeat(32)}/_hook/claude`,
  ]) {
    await assertForbidden(
      kit,
      head(`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, BODY_TO_COME),
      /^HTTP\/1\.1 403 /,
    );
    await assertForbidden(
      kit,
      head(`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, BODY_TO_COME, 'Expect: 100-continue'),
      /^HTTP\/1\.1 403 /,
    );
  }
});

test('gateway guard: what a web page sends gets 403, with the right token too', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  const line = `POST /${token}/anthropic/v1/messages HTTP/1.1`;
  for (const header of [
    'Origin: http://evil.example',
    'Origin: null',
    `oRIGIN: http://127.0.0.1:${port}`,
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Site: none',
    'Sec-Fetch-Dest: empty',
    'Sec-Fetch-User: ?1',
    'Access-Control-Request-Private-Network: true',
  ]) {
    await assertForbidden(kit, head(line, `Host: 127.0.0.1:${port}`, header, BODY_TO_COME), /^HTTP\/1\.1 403 /);
  }
  const preflight = head(
    `OPTIONS /${token}/anthropic/v1/messages HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: content-type',
  );
  await assertForbidden(kit, preflight, /^HTTP\/1\.1 403 /);
  await assertForbidden(
    kit,
    head(`OPTIONS /${token}/anthropic/v1/messages HTTP/1.1`, `Host: 127.0.0.1:${port}`),
    /^HTTP\/1\.1 403 /,
  );
});

test('gateway guard: another Host gets 403 (a page whose name resolves to 127.0.0.1)', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  const line = `POST /${token}/anthropic/v1/messages HTTP/1.1`;
  for (const host of [
    [`Host: evil.example:${port}`],
    ['Host: 127.0.0.1'],
    [`Host: 127.0.0.1:${port + 1}`],
    [`Host: 127.0.0.1.evil.example:${port}`],
    [`Host: [::1]:${port}`],
    [`Host: 127.1:${port}`],
    ['Host:'],
    [],
    [`Host: 127.0.0.1:${port}`, 'Host: evil.example'],
    [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`],
  ]) {
    await assertForbidden(kit, head(line, ...host, BODY_TO_COME));
  }
  await assertForbidden(kit, head(`POST /${token}/anthropic/v1/messages HTTP/1.0`, BODY_TO_COME));
});

test('gateway guard: it is no open proxy: absolute form and CONNECT get 403', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  const host = `Host: 127.0.0.1:${port}`;
  for (const line of [
    `GET http://127.0.0.1:${port}/${token}/anthropic/v1/models HTTP/1.1`,
    'GET http://evil.example/ HTTP/1.1',
    `GET http://evil.example/${token}/anthropic/v1/models HTTP/1.1`,
    'CONNECT evil.example:443 HTTP/1.1',
    `CONNECT 127.0.0.1:${port} HTTP/1.1`,
    `TRACE /${token}/anthropic/v1/models HTTP/1.1`,
  ]) {
    await assertForbidden(kit, head(line, host));
  }
  await assertForbidden(kit, head('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'), /^HTTP\/1\.1 403 /);
});

test('gateway guard: a WebSocket of a web page, or without the token, gets 403', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  await assertForbidden(
    kit,
    head('GET /openai/v1/responses HTTP/1.1', `Host: 127.0.0.1:${port}`, ...upgrade),
    /^HTTP\/1\.1 403 /,
  );
  const line = `GET /${token}/openai/v1/responses HTTP/1.1`;
  await assertForbidden(
    kit,
    head(line, `Host: 127.0.0.1:${port}`, 'Origin: http://evil.example', ...upgrade),
    /^HTTP\/1\.1 403 /,
  );
});

test('gateway guard: requests that two readers could read in two ways are refused', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  const line = `POST /${token}/anthropic/v1/messages HTTP/1.1`;
  const host = `Host: 127.0.0.1:${port}`;
  for (const lines of [
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    ['Content-Length: 5', 'Content-Length: 6'],
    ['Content-Length: 5', 'Content-Length: 5'],
    ['Content-Length: 5, 6'],
    ['Content-Length: -1'],
    ['Content-Length: +5'],
    ['Content-Length: 0x5'],
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding: identity'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding : chunked'],
    ['Content-Length : 5'],
    [' Content-Length: 5'],
    ['Content-Encoding: gzip', 'Content-Encoding: identity', BODY_TO_COME],
    ['X-Bad\0: 1', BODY_TO_COME],
    ['X-Bad: a\0b', BODY_TO_COME],
    ['X Bad: 1', BODY_TO_COME],
    ['X-Bad: a\rContent-Length: 5', BODY_TO_COME],
  ]) {
    await assertForbidden(kit, head(line, host, ...lines));
  }
});

test('gateway guard: no path leads out of what stands in front of it at the upstream', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  for (const rest of [
    'anthropic/../openai/v1/responses',
    'anthropic/..',
    'anthropic/./v1',
    'anthropic/v1/../../x',
    'anthropic/%2e%2e/x',
    'anthropic/.%2E/x',
    'anthropic/%2fevil',
    'anthropic/v1%5c..%5cx',
    'anthropic/v1\\..\\x',
    'anthropic/..;/x',
    'anthropic/%252e%252e/x',
    'anthropic/v1/%00',
    'anthropic/v1/%0d%0ax',
    'anthropic/v1/%zz',
    'anthropic/v1/%2',
    'anthropic//evil.example/x',
    'anthropic//',
    'anthropic/v1#x',
    'anthropic@evil.example/v1',
    'anthropic:8080/v1',
    'anthropi/v1',
    'ANTHROPIC/v1',
    '/anthropic/v1',
    's//anthropic/v1',
    's/a/b/anthropic/v1',
    's/../anthropic/v1',
    's/%2e%2e/anthropic/v1',
    `s/${'a'.repeat(200)}/anthropic/v1`,
    '_hook',
    '_hook/',
    '_hook/../x',
    '_hook/a/b',
    '_hook/a?b',
    's/a/_hook/b',
    'anthropic/caf\u00e9',
  ]) {
    await assertForbidden(kit, head(`POST /${token}/${rest} HTTP/1.1`, `Host: 127.0.0.1:${port}`, BODY_TO_COME));
  }
});

test('gateway guard: hostile request heads never reach the upstream, never get the token, and the gateway lives', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  const bytes = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map(code => String.fromCharCode(code)),
    maxLength: 40,
  });
  const headerLine = fc.oneof(
    bytes,
    fc
      .tuple(
        fc.constantFrom(
          'Host',
          'Origin',
          'Content-Length',
          'Transfer-Encoding',
          'Connection',
          'Upgrade',
          'Expect',
          'X',
        ),
        bytes,
      )
      .map(([name, value]) => `${name}: ${value}`),
    fc.constantFrom(
      'Transfer-Encoding: chunked',
      'Content-Length: 3',
      'Connection: close',
      'Expect: 100-continue',
      'Expect: x',
      'Upgrade: h2c',
    ),
  );
  const target = fc.oneof(
    bytes.map(text => `/${text}`),
    bytes.map(text => `/${token}/${text}`),
    fc.constantFrom('/', '*', 'http://x/', `//${token}/anthropic/v1`),
  );
  const method = fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS', 'CONNECT', 'TRACE', 'PRI'), bytes);
  await fc.assert(
    fc.asyncProperty(method, target, fc.array(headerLine, { maxLength: 6 }), async (verb, path, lines) => {
      const agent = kit.raw();
      // The end of what is sent ends a head that was never whole.
      agent.socket.end(
        head(`${verb} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Sec-Fetch-Site: none', ...lines),
        'latin1',
      );
      const answer = await agent.whole();
      assert.ok(!answer.includes(token) && !answer.includes(SECRET));
      assert.match(answer, /^(?:$|HTTP\/1\.1 (?:400|403|431) )/);
    }),
    { numRuns: 400 },
  );
  assert.equal(kit.upstream.requests.length, 0);
  assert.equal(kit.calls.seen.length, 0);
  assert.deepEqual(kit.faults, []);
  assert.equal(await (await fetch(kit.url('/v1/models'))).text(), SECRET);
});

test('gateway guard: what agents send is let in: by 127.0.0.1 and localhost, and from the fetch of Node', async t => {
  const kit = await guarded(t);
  const { port, token } = kit.gateway;
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
    const agent = kit.raw();
    agent.socket.write(
      head(`GET /${token}/anthropic/v1/models HTTP/1.1`, `Host: ${host}:${port}`, 'Connection: close'),
    );
    assert.match(await agent.whole(), /^HTTP\/1\.1 200 /);
  }
  // It sends `sec-fetch-mode: cors`.
  const answer = await fetch(kit.url('/v1/complete'), { method: 'POST', body: '{}' });
  assert.equal(answer.status, 200);
  assert.equal(kit.upstream.requests.at(-1)?.headers['sec-fetch-mode'], 'cors');
});

test('gateway guard: the token is in no error, no answer and nothing that goes upstream', async t => {
  const kit = await guarded(t);
  const { token } = kit.gateway;
  kit.calls.prepareWith = () => Promise.reject(new Error('broken'));
  const answers = [
    await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{}' }),
    await fetch(kit.url('/v1/models?a=b')),
    await fetch(`http://127.0.0.1:${kit.gateway.port}/${token}/_hook/claude`),
  ];
  for (const answer of answers) {
    assert.ok(!JSON.stringify([[...answer.headers], await answer.text()]).includes(token));
  }
  assert.ok(!JSON.stringify(kit.upstream.requests).includes(token));
  assert.ok(!String(kit.faults).includes(token));
  const taken = startGatewayServer({ calls: kit.calls, upstreams: upstreams(kit), port: kit.gateway.port, token });
  await assert.rejects(
    taken,
    (error: Error) => /cannot listen on port \d+/.test(error.message) && !error.message.includes(token),
  );
});

function upstreams({ upstream: { url } }: GatewayKit): Parameters<typeof startGatewayServer>[0]['upstreams'] {
  return { anthropic: url, openai: url, gemini: url };
}
