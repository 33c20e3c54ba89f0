import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type GatewayFlags,
  GatewayRefusal,
  gatewaySettings,
  readPort,
  readSession,
  readSource,
  readUpstream,
} from '../../../cli/gateway/settings.ts';
import { DEFAULT_CONFIG } from '../../../local/userConfig.ts';

const flags: GatewayFlags = { port: 0 };
const unset = { gateway: DEFAULT_CONFIG.gateway, problems: [] };

test('without flags and settings a gateway refuses what it cannot prepare, and each one has a name of its own', () => {
  const { session, ...others } = gatewaySettings(flags, unset);
  assert.deepEqual(others, { upstreams: {}, onFailure: 'refuse' });
  assert.match(session, /^[0-9a-f]{16}$/);
  assert.notEqual(gatewaySettings(flags, unset).session, session);
});

test('a flag wins over config.json, address by address', () => {
  const gateway = {
    upstreams: { anthropic: 'https://a.example', openai: 'https://o.example' },
    onFailure: 'pass',
  } as const;
  const given: GatewayFlags = {
    ...flags,
    upstream: { anthropic: 'https://mine.example' },
    onFailure: 'refuse',
    session: 's',
  };
  assert.deepEqual(gatewaySettings(given, { gateway, problems: [] }), {
    upstreams: { anthropic: 'https://mine.example', openai: 'https://o.example' },
    onFailure: 'refuse',
    session: 's',
  });
  assert.equal(gatewaySettings(flags, { gateway, problems: [] }).onFailure, 'pass');
});

test('while config.json says of the gateway what cannot be used, none starts: credentials would go where nobody meant', () => {
  const problems = ['c.json: one.', 'c.json: two.'];
  const given = { ...flags, upstream: { anthropic: 'https://mine.example' } };
  assert.throws(
    () => gatewaySettings(given, { gateway: undefined, problems }),
    (error: unknown) => error instanceof GatewayRefusal && error.sentences === problems,
  );
});

test('ports, names and addresses are read or refused', () => {
  assert.equal(readPort('0'), 0);
  assert.equal(readPort('65535'), 65_535);
  for (const wrong of ['65536', '-1', '1.5', '', '0x10', '999999']) {
    assert.throws(() => readPort(wrong), /no number of a port/, wrong);
  }
  assert.equal(readSession('a-B_3'), 'a-B_3');
  for (const wrong of ['', '-a', 'a/b', '..', 'a b', 'ä', 'x'.repeat(65)]) {
    assert.throws(() => readSession(wrong), /a-z, A-Z, 0-9/, wrong);
  }
  assert.deepEqual(readSource('b', readSource('a')), ['a', 'b']);
  assert.deepEqual(readUpstream('gemini=https://g.example/=', readUpstream('openai=https://o.example/')), {
    openai: 'https://o.example',
    gemini: 'https://g.example/=',
  });
  for (const wrong of [
    '',
    'https://a.example',
    '=https://a.example',
    'Anthropic=https://a.example',
    '__proto__=https://a',
  ]) {
    assert.throws(() => readUpstream(wrong), /must begin with one of anthropic=, openai=, gemini=/, wrong);
  }
  assert.throws(() => readUpstream('openai=http://a.example'), /behind openai= must begin with https:/);
});
