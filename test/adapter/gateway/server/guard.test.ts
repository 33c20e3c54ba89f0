import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { startGatewayServer } from '../../../../adapter/gateway/server/gatewayServer.ts';
import { inTime } from '../../../server/deadline.ts';
import type { GatewayKit } from '../kit/gatewayKit.ts';
import { assertForbidden, BODY_TO_COME, guarded } from '../kit/guardKit.ts';
import { head } from '../kit/rawAgent.ts';

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
  const { token, hookToken } = kit.gateway;
  kit.calls.prepareWith = () => Promise.reject(new Error('broken'));
  const answers = [
    await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{}' }),
    await fetch(kit.url('/v1/models?a=b')),
    await fetch(`http://127.0.0.1:${kit.gateway.port}/${hookToken}/_hook/claude`),
  ];
  for (const answer of answers) {
    const said = JSON.stringify([[...answer.headers], await answer.text()]);
    assert.ok(!said.includes(token) && !said.includes(hookToken));
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
