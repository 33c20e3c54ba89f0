import { frame } from './rawPeer.ts';

/** Random numbers that are the same for the same seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

const METHODS = [
  'hello',
  'attach',
  'history',
  'request',
  'whatIf',
  'discard',
  '__proto__',
  'constructor',
  '',
  '$/cancelRequest',
  '$/setTrace',
  'events',
  'closing',
  'x'.repeat(300),
];
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1,
  1e308,
  2 ** 53,
  0.5,
  '',
  'plan',
  '\u0000\ud800',
  '__proto__',
  [],
  [[[]]],
  {},
  { __proto__: 1 },
  ['a'],
  { length: 1e9 },
];
const MEMBERS = [
  'proof',
  'known',
  'nonce',
  'wireVersion',
  'from',
  'to',
  'requestSequence',
  'offset',
  'blockId',
  '__proto__',
  'toString',
];

function params(random: Random): unknown {
  if (random(6) === 0) {
    return pick(random, VALUES);
  }
  const members = Array.from({ length: random(5) }, () => [pick(random, MEMBERS), pick(random, VALUES)]);
  return Object.fromEntries(members);
}

/** A request that every host takes in, and must answer with an error or with something harmless. */
export function strangeRequest(random: Random, id: number): string {
  const method = pick(
    random,
    METHODS.filter(name => name !== 'hello' && name !== 'attach'),
  );
  const given = params(random);
  const named = typeof given === 'object' && !Array.isArray(given) ? given : {};
  return frame({ jsonrpc: '2.0', id, method, params: named });
}

/** A message in a good frame, in any of the ways in which one can be wrong or out of place. */
function strangeMessage(random: Random): unknown {
  const request = { jsonrpc: '2.0', id: random(3), method: pick(random, METHODS), params: params(random) };
  return pick<() => unknown>(random, [
    () => request,
    () => ({ ...request, jsonrpc: pick(random, VALUES) }),
    () => ({ ...request, id: pick(random, VALUES) }),
    () => ({ ...request, method: pick(random, VALUES) }),
    () => ({ jsonrpc: '2.0', method: pick(random, METHODS), params: params(random) }),
    () => ({ jsonrpc: '2.0', id: random(9), result: pick(random, VALUES) }),
    () => ({ jsonrpc: '2.0', id: null, error: pick(random, VALUES) }),
    () => Array.from({ length: random(40) }, () => request),
    () => pick(random, VALUES),
    () => '{"jsonrpc":"2.0",'.repeat(random(9)),
    () => '['.repeat(random(3_000)),
    () => `{"jsonrpc":"2.0","id":1,"method":"hello","method":"attach","params":{}}`,
  ])();
}

/** Bytes that are no frame. */
function brokenFrame(random: Random): string | Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'discard', params: { blockId: 'plan' } });
  return pick<() => string | Buffer>(random, [
    () => `Content-Length: -${random(99)}\r\n\r\n${body}`,
    () => `Content-Length: ${'9'.repeat(1 + random(40))}\r\n\r\n${body}`,
    () => `Content-Length: 0\r\n\r\n`,
    () => `Content-Length: ${body.length}\r\nContent-Length: ${random(200)}\r\n\r\n${body}`,
    () => `content-length:${body.length}\r\ncontent-length:${body.length}\r\n\r\n${body}`,
    () => `Content-Length: 0x${body.length.toString(16)}\r\n\r\n${body}`,
    () => `Content-Length: ${body.length}.0\r\n\r\n${body}`,
    () => `Content-Length: ${body.length}e0\r\n\r\n${body}`,
    () => `Content-Length:\r\n ${body.length}\r\n\r\n${body}`,
    () => `Content-Type: ${'x'.repeat(random(600))}\r\n\r\n`,
    () => `${'X: y\r\n'.repeat(random(80))}\r\n${body}`,
    () => `\r\n\r\n${body}`,
    () => `${body}\n`.repeat(1 + random(20)),
    () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    () => Buffer.from(Array.from({ length: random(500) }, () => random(256))),
    () => Buffer.concat([Buffer.from('Content-Length: 4\r\n\r\n'), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
    () => `Content-Length: ${body.length + random(5)}\r\n\r\n${body}`,
    () => `Content-Length: ${Math.max(1, body.length - random(9))}\r\n\r\n${body}`,
    () => '\r\n'.repeat(random(200)),
  ])();
}

/** One hostile thing to send, broken or only out of place. */
export function hostile(random: Random): string | Buffer {
  return random(2) === 0 ? brokenFrame(random) : frame(strangeMessage(random));
}
