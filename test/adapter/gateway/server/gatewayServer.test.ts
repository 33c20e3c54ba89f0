import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SERVER_LIMITS, SERVER_OPTIONS } from '../../../../adapter/gateway/server/serverLimits.ts';
import { inTime } from '../../../server/deadline.ts';
import { Gate } from '../kit/fakeUpstream.ts';
import { startKit } from '../kit/gatewayKit.ts';
import { head } from '../kit/rawAgent.ts';

const message = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { message: string } }).error.message;

test('gateway server: no time-out of ours on a running answer, and one on a head that does not come', () => {
  assert.equal(SERVER_OPTIONS.requestTimeout, 0);
  assert.ok(!('timeout' in SERVER_OPTIONS), 'Node has none of its own');
  assert.ok(SERVER_OPTIONS.headersTimeout > 0 && SERVER_OPTIONS.headersTimeout <= 10_000);
  assert.ok(SERVER_OPTIONS.keepAliveTimeout > 90_000, 'agents close first');
  assert.equal(SERVER_OPTIONS.insecureHTTPParser, false);
  assert.equal(SERVER_LIMITS.connections, 1_024);
});

test('gateway server: agents.md trap: a WebSocket upgrade is answered 426 at once, and the connection closed', async t => {
  const kit = await startKit(t, (_, response) => void response.end('never'));
  const { port, token } = kit.gateway;
  const agent = kit.raw();
  agent.socket.write(
    head(
      `GET /${token}/openai/v1/responses HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Authorization: Bearer sk-1',
    ),
  );
  assert.match(await agent.whole(), /^HTTP\/1\.1 426 Upgrade Required\r\n[^]*\r\n\r\n$/);
  assert.equal(kit.upstream.requests.length, 0);
  assert.equal(kit.calls.seen.length, 0);
});

test('gateway server: a client that offers HTTP/2 on the way is served as ever, and the offer goes no further', async t => {
  const kit = await startKit(t, (_, response) => void response.end('served'));
  const { port, token } = kit.gateway;
  const agent = kit.raw();
  agent.socket.write(
    `${head(
      `POST /${token}/anthropic/v1/messages HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: close, Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
      'Content-Length: 2',
    )}{}`,
  );
  assert.match(await agent.whole(), /^HTTP\/1\.1 200 OK\r\n[^]*served/);
  const [sent] = kit.upstream.requests;
  assert.ok(sent);
  assert.doesNotMatch(JSON.stringify(sent.headers), /upgrade|http2/i);
});

test("gateway server: a refusal is answered in the API's words, and nothing is sent on", async t => {
  const kit = await startKit(t, (_, response) => void response.end('never'));
  kit.calls.prepareWith = () => ({
    kind: 'refuse',
    refusal: { status: 400, contentType: 'application/json', body: '{"type":"error"}' },
    sentence: 'The log is full.',
  });
  const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{}' });
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), await answer.text()],
    [400, 'application/json', '{"type":"error"}'],
  );
  assert.deepEqual(kit.notices, ['The log is full.']);
  assert.equal(kit.upstream.requests.length, 0);
});

test('gateway server: fail closed: whatever throws inside is answered 500 in words, and nothing is sent on', async t => {
  const kit = await startKit(t, (_, response) => void response.end('never'));
  kit.calls.prepareWith = () => Promise.reject(new Error('sk-secret'));
  const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{}' });
  assert.equal(answer.status, 500);
  assert.match(await message(answer), /^The gateway failed at this request and did not send it on/);
  kit.calls.prepareWith = () => kit.calls.send();
  kit.calls.wants = () => {
    throw new Error('wants');
  };
  assert.equal((await fetch(kit.url('/v1/models'))).status, 500);
  kit.calls.hook = () => Promise.reject(new Error('hook'));
  const { port, hookToken } = kit.gateway;
  assert.equal(
    (await fetch(`http://127.0.0.1:${port}/${hookToken}/_hook/claude`, { method: 'POST', body: '{}' })).status,
    500,
  );
  assert.deepEqual(kit.faults.map(String), ['Error: sk-secret', 'Error: wants', 'Error: hook']);
  assert.equal(kit.upstream.requests.length, 0);
});

test('gateway server: messages of hooks come in with POST, behind the same guard', async t => {
  const kit = await startKit(t, (_, response) => void response.end('never'));
  const { port, hookToken } = kit.gateway;
  const url = `http://127.0.0.1:${port}/${hookToken}/_hook/claude-code`;
  const answer = await fetch(url, { method: 'POST', body: '{"file_path":"/a"}' });
  assert.deepEqual([answer.status, await answer.text()], [200, 'heard claude-code']);
  assert.equal((await fetch(url)).status, 405);
  assert.equal((await fetch(url.replace(hookToken, '0'.repeat(32)), { method: 'POST', body: '{}' })).status, 403);
  assert.equal(
    (await fetch(url, { method: 'POST', body: '{}', headers: { origin: 'http://evil.example' } })).status,
    403,
  );
  assert.deepEqual(kit.calls.hooks, [{ name: 'claude-code', body: '{"file_path":"/a"}' }]);
});

test('gateway guard: who knows the token of requests alone cannot say which files are trusted, nor the other way round', async t => {
  const kit = await startKit(t, (_, response) => void response.end('never'));
  const { port, token, hookToken } = kit.gateway;
  assert.notEqual(token, hookToken);
  for (const path of [`${token}/_hook/claude-instructions`, `${hookToken}/anthropic/v1/messages`]) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', body: '{}' });
    assert.equal(answer.status, 403, path);
  }
  assert.deepEqual([kit.calls.hooks, kit.calls.seen, kit.upstream.requests], [[], [], []]);
});

test('gateway server: after 1,000 requests of all kinds no connection and no listener is left', async t => {
  const kit = await startKit(t, ({ url }, response) => {
    if (url.endsWith('/cut')) {
      response.write('x', () => response.destroy());
    } else {
      response.end('ok');
    }
  });
  const before = process.getActiveResourcesInfo().filter(name => /TCP|Timeout/.test(name)).length;
  const { port, token, hookToken } = kit.gateway;
  const one = async (at: number): Promise<void> => {
    if (at % 5 === 0) {
      const agent = kit.raw();
      agent.socket.write(head('POST /x HTTP/1.1', `Host: localhost:${port}`, 'Content-Length: 9'));
      await agent.whole();
      return;
    }
    const path = ['', 'anthropic/v1/messages', 'anthropic/v1/files', 'anthropic/cut', '_hook/x'][at % 5] ?? '';
    const agent = kit.raw();
    agent.socket.write(
      `${head(`POST /${path.startsWith('_hook') ? hookToken : token}/${path} HTTP/1.1`, `Host: localhost:${port}`, 'Content-Length: 2', ...(at % 3 === 0 ? [] : ['Connection: close']))}{}`,
    );
    if (at % 3 === 0) {
      await agent.until('some of the answer', text => text !== '');
      agent.socket.destroy();
    }
    await agent.whole();
  };
  for (let at = 0; at < 1_000; at += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, more) => one(at + more)));
  }
  assert.deepEqual(kit.faults, []);
  await kit.gateway.close();
  await kit.upstream.close();
  for (let turn = 0; turn < 100 && kit.upstream.sockets.size > 0; turn += 1) {
    await nextTurn();
  }
  assert.equal(kit.upstream.sockets.size, 0);
  // The two listening sockets are gone too.
  const after = process.getActiveResourcesInfo().filter(name => /TCP|Timeout/.test(name)).length;
  assert.ok(after <= before, `${before} before, ${after} after`);
  assert.equal(
    new Set(kit.calls.sent.flatMap(({ ends }) => (ends.length === 1 ? ends : ['twice']))).has('twice'),
    false,
  );
  assert.ok(
    kit.calls.sent.every(({ ends }) => ends.length === 1),
    'each call was over once',
  );
});

test('gateway server: close ends idle connections and running answers, and waits for nothing else', async t => {
  const started = new Gate('an answer was running');
  const kit = await startKit(t, (_, response) => void response.writeHead(200).write('x'));
  const preparing = new Gate('a request was being prepared');
  const idle = kit.raw();
  await once(idle.socket, 'connect');
  const running = httpRequest(kit.url('/v1/messages'), { method: 'POST' });
  const cut = new Gate('the agent saw the end');
  running.on('response', answer => {
    answer.on('error', () => cut.open());
    answer.once('data', () => started.open());
  });
  running.on('error', () => {});
  running.end('{}');
  await started.wait();
  // One whose preparing never ends.
  kit.calls.prepareWith = () => {
    preparing.open();
    return new Promise(() => {});
  };
  const stuck = httpRequest(kit.url('/v1/messages'), { method: 'POST' });
  stuck.on('error', () => {});
  stuck.end('{}');
  await preparing.wait();
  await inTime(kit.gateway.close(), 'the end of the gateway');
  assert.deepEqual(kit.calls.sent[0]?.ends, ['aborted']);
  assert.equal(kit.calls.seen[1]?.signal.aborted, true);
  await cut.wait();
  await idle.whole();
  const late = kit.raw();
  await inTime(late.closed, 'the refusal');
  assert.equal(late.received.length, 0);
});

test('gateway server: requests that an agent sends one after the other without waiting are answered in order, and end with it', async t => {
  const gate = new Gate('both were there');
  const kit = await startKit(t, async ({ url }, response) => {
    if (url.endsWith('2/messages')) {
      gate.open();
    }
    await gate.wait();
    response.write(url);
    if (url.endsWith('1/messages')) {
      response.end();
    }
  });
  const { port, token } = kit.gateway;
  const agent = kit.raw();
  for (const at of [1, 2]) {
    agent.socket.write(
      `${head(`POST /${token}/anthropic/${at}/messages HTTP/1.1`, `Host: localhost:${port}`, 'Content-Length: 2')}{}`,
    );
  }
  await agent.until('both', text => /\/1\/messages[^]*\/2\/messages/.test(text));
  agent.socket.destroy();
  const [one, two] = kit.calls.sent;
  assert.equal(await one?.ended(), 'whole');
  assert.equal(await two?.ended(), 'aborted');
});

test('gateway server: a head of 60 kB is taken, one of 70 kB gets 431', async t => {
  const kit = await startKit(t, (_, response) => void response.end('ok'));
  const { port, token } = kit.gateway;
  for (const [length, status] of [
    [60_000, 200],
    [70_000, 431],
  ] as const) {
    const agent = kit.raw();
    agent.socket.write(
      head(
        `GET /${token}/anthropic/v1/models HTTP/1.1`,
        `Host: localhost:${port}`,
        `X-Long: ${'x'.repeat(length)}`,
        'Connection: close',
      ),
    );
    assert.match(await agent.whole(), new RegExp(`^HTTP/1\\.1 ${status} `));
  }
});
