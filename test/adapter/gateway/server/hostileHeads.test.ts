import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertForbidden, BODY_TO_COME, guarded, SECRET } from '../kit/guardKit.ts';
import { head } from '../kit/rawAgent.ts';

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
  const { port, token, hookToken } = kit.gateway;
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
    'anthropic/v1/%c0%ae%c0%ae/x',
    'anthropic/v1/%c0%afx',
    'anthropic/v1/%ff',
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
    await assertForbidden(
      kit,
      head(
        `POST /${rest.startsWith('_hook') ? hookToken : token}/${rest} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        BODY_TO_COME,
      ),
    );
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
