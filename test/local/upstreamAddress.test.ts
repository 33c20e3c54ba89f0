import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUpstream, isLoopback } from '../../local/upstreamAddress.ts';

test('an upstream is an https address, with the slashes at its end taken off', () => {
  for (const [given, address] of [
    ['https://api.anthropic.com', 'https://api.anthropic.com'],
    ['https://api.anthropic.com/', 'https://api.anthropic.com'],
    ['https://LLM.example.org:8443/a/b//', 'https://llm.example.org:8443/a/b'],
    ['https://example.org/@team', 'https://example.org/@team'],
  ] as const) {
    assert.deepEqual(checkUpstream(given), { address });
  }
});

test('http is for this machine only: no credential crosses a network in clear text', () => {
  for (const host of ['127.0.0.1:1', '127.1.2.3', 'localhost:4000', '[::1]:80', '0x7f.1', '2130706433']) {
    assert.ok('address' in checkUpstream(`http://${host}/v1`), host);
  }
  for (const host of [
    'example.org',
    '10.0.0.1',
    '127.0.0.1.example.org',
    'localhost.example.org',
    'xlocalhost',
    '[::2]',
    '[::ffff:10.0.0.1]',
    '0.0.0.0',
    '128.0.0.1',
  ]) {
    const checked = checkUpstream(`http://${host}/v1`);
    assert.ok('wrong' in checked && checked.wrong.includes('clear text'), host);
  }
});

test('what is no plain web address is refused, so that nothing is sent where nobody meant it', () => {
  for (const given of [
    '',
    'api.anthropic.com',
    '//api.anthropic.com',
    'HTTPS://api.anthropic.com',
    'ftp://api.anthropic.com',
    'file:///etc/passwd',
    'https://',
    'https://exa mple.org',
    'https://example.org\n',
    'https://example.org\u202e',
    `https://example.org/${'x'.repeat(3_000)}`,
  ]) {
    const checked = checkUpstream(given);
    assert.ok('wrong' in checked && checked.wrong.includes('begins with https://'), given);
  }
  for (const given of ['https://me:secret@example.org', 'https://me@example.org']) {
    const checked = checkUpstream(given);
    assert.ok('wrong' in checked && checked.wrong.includes('no password'), given);
  }
  for (const given of ['https://example.org/?a=1', 'https://example.org/#a', 'https://example.org?']) {
    const checked = checkUpstream(given);
    assert.ok('wrong' in checked && checked.wrong.includes('no query'), given);
  }
});

test('loopback is what the URL’s host says, as the URL class writes it', () => {
  assert.ok(isLoopback(new URL('http://127.0.0.1').hostname));
  assert.ok(!isLoopback(new URL('http://127.0.0.1.example.org').hostname));
});
