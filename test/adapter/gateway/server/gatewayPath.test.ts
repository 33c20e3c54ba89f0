import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTarget } from '../../../../adapter/gateway/server/gatewayPath.ts';

test('gateway paths: the grammar', () => {
  const call = { token: 'T', kind: 'call', query: '' } as const;
  const cases: readonly (readonly [url: string, target: object])[] = [
    ['/T/anthropic/v1/messages', { ...call, provider: 'anthropic', path: '/v1/messages' }],
    ['/T/openai', { ...call, provider: 'openai', path: '/' }],
    ['/T/openai?x', { ...call, provider: 'openai', path: '/', query: '?x' }],
    ['/T/s/a.b/gemini/v1/x:y?', { ...call, provider: 'gemini', path: '/v1/x:y', query: '?', sessionName: 'a.b' }],
    ['/T/anthropic/s/x/openai', { ...call, provider: 'anthropic', path: '/s/x/openai' }],
    ['/T/anthropic/...', { ...call, provider: 'anthropic', path: '/...' }],
    ['/T/_hook/claude', { token: 'T', kind: 'hook', name: 'claude' }],
  ];
  for (const [url, target] of cases) {
    assert.deepEqual(readTarget(url), target, url);
  }
});

test("gateway paths: whatever is accepted is, to a URL parser, a path of the same segments behind the upstream's own", () => {
  const piece = fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    '%2e',
    '%2F',
    '%5c',
    '%c0%af',
    '%c3%a9',
    '%00',
    '%25',
    '%',
    ';',
    ':',
    '@',
    '#',
    '?',
    'a',
    'v1',
    ' ',
    '\t',
    '\u00e9',
    '[',
    '&',
    '~',
    '%20',
  );
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const target = readTarget(`/T/anthropic/${pieces.join('')}`);
      if (target?.kind !== 'call') {
        return;
      }
      accepted += 1;
      const url = new URL(`https://upstream.example/base${target.path}${target.query}`);
      assert.equal(url.host, 'upstream.example');
      assert.ok(url.pathname.startsWith('/base/'));
      assert.equal(url.pathname.split('/').length, `/base${target.path}`.split('/').length);
      assert.equal(decodeURIComponent(url.pathname).split(/[/\\]/).length, url.pathname.split('/').length);
      assert.ok(`/T/anthropic/${pieces.join('')}`.endsWith(target.path + target.query), 'byte for byte');
    }),
    { numRuns: 20_000 },
  );
  assert.ok(accepted > 500, `${accepted}`);
});
