import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startGatewayServer } from '../../../../adapter/gateway/server/gatewayServer.ts';
import { FakeCalls } from '../kit/fakeCalls.ts';
import { head, RawAgent } from '../kit/rawAgent.ts';

/** What an agent gets, byte for byte, when the upstream's connection says just this; read until `fits`. */
async function answerTo(
  t: TestContext,
  said: string,
  fits: (text: string) => boolean,
): Promise<{ readonly text: string; readonly agent: RawAgent }> {
  const upstream = createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(said, 'latin1'));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.after(() => upstream.close());
  const url = new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  const gateway = await startGatewayServer({
    calls: new FakeCalls(),
    upstreams: { anthropic: url, openai: url, gemini: url },
    port: 0,
  });
  t.after(() => gateway.close());
  const agent = new RawAgent(t, gateway.port);
  agent.socket.write(head(`GET /${gateway.token}/anthropic/v1/models HTTP/1.1`, `Host: 127.0.0.1:${gateway.port}`));
  return { text: await agent.until('the answer', fits), agent };
}

for (const [what, reason] of [
  ['Latin-1', 'Ung\u00fcltige Anfrage'],
  ['UTF-8', 'Ung\u00c3\u00bcltige Anfrage'],
  ['control characters', 'a\u0001b'],
] as const) {
  test(`gateway answers: a reason phrase in ${what} does not keep the answer from the agent`, async t => {
    const said = `HTTP/1.1 400 ${reason}\r\nContent-Length: 2\r\n\r\nhi`;
    const { text } = await answerTo(t, said, answer => answer.includes('\r\n\r\n'));
    // what cannot be read at all is told, as every other answer that is none
    assert.match(text, what === 'control characters' ? /^HTTP\/1\.1 (?:400|502) / : /^HTTP\/1\.1 400 /);
  });
}

test('gateway answers: header lines outside ASCII keep their bytes', async t => {
  const said = 'HTTP/1.1 200 OK\r\nX-Latin: caf\u00e9\r\nX-Utf: caf\u00c3\u00a9\r\nContent-Length: 2\r\n\r\nhi';
  const { text } = await answerTo(t, said, answer => answer.endsWith('hi'));
  assert.match(text, /\r\nX-Latin: caf\u00e9\r\nX-Utf: caf\u00c3\u00a9\r\n/);
});

test('gateway answers: a 304 that tells the length of what it leaves out is whole, and keeps the connection', async t => {
  const said = 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 50\r\n\r\n';
  const { agent } = await answerTo(t, said, answer => answer.includes('\r\n\r\n'));
  agent.socket.write(head('GET /x/anthropic/v1 HTTP/1.1', 'Host: x'));
  await agent.until('the answer to the next request', answer => answer.includes('HTTP/1.1 403'));
});
