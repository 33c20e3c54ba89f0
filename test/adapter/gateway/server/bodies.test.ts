import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { decodeBody } from '../../../../adapter/gateway/server/decodeBody.ts';
import { RequestProblem } from '../../../../adapter/gateway/server/requestProblem.ts';
import { SERVER_LIMITS } from '../../../../adapter/gateway/server/serverLimits.ts';
import { type GatewayKit, startKit } from '../kit/gatewayKit.ts';
import { head } from '../kit/rawAgent.ts';
import { zstdCompressSync, zstdStreamed, zstdThorough } from '../kit/zstd.ts';

const TEXT = JSON.stringify({
  model: 'm',
  messages: [{ role: 'user', content: `h\u00e9llo ${'again '.repeat(100_000)}` }],
});

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

const COMPRESSED: readonly (readonly [encoding: string, body: () => Buffer | Promise<Buffer>])[] = [
  ['gzip', () => gzipSync(TEXT)],
  ['x-gzip', () => gzipSync(TEXT)],
  ['GZIP', () => gzipSync(TEXT)],
  ['deflate', () => deflateSync(TEXT)],
  ['deflate', () => deflateRawSync(TEXT)],
  ['br', () => brotliCompressSync(TEXT)],
  ['zstd', () => zstdCompressSync(TEXT)],
  ['zstd', () => zstdStreamed(TEXT)],
  ['zstd', () => zstdThorough(TEXT)],
  ['zstd', zstdInParts],
  ['gzip, zstd', () => zstdCompressSync(gzipSync(TEXT))],
  ['identity', () => Buffer.from(TEXT)],
];

function zstdInParts(): Buffer {
  const [one, two] = [zstdCompressSync(TEXT.slice(0, 100_000)), zstdCompressSync(TEXT.slice(100_000))];
  return Buffer.concat([skippable(20), one, skippable(0), two]);
}

function skippable(length: number): Buffer {
  const frame = Buffer.alloc(8 + length, 7);
  frame.writeUInt32LE(0x184d2a53, 0);
  frame.writeUInt32LE(length, 4);
  return frame;
}

function echoing(t: Parameters<typeof startKit>[0]): Promise<GatewayKit> {
  return startKit(t, (_, response) => void response.end('ok'));
}

test('gateway bodies: gzip, deflate, br and zstd are read, and an unchanged request leaves byte for byte as it came', async t => {
  const kit = await echoing(t);
  for (const [encoding, make] of COMPRESSED) {
    const body = await make();
    const headers = { 'content-encoding': encoding };
    const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: new Uint8Array(body), headers });
    assert.equal(answer.status, 200, `${encoding}: ${await answer.text()}`);
    const call = kit.calls.seen.at(-1);
    assert.ok(call && Buffer.from(call.body).equals(Buffer.from(TEXT)), encoding);
    assert.equal(call.encoding, encoding);
    const left = kit.upstream.requests.at(-1);
    assert.ok(left?.body.equals(body), encoding);
    assert.equal(left?.headers['content-encoding'], encoding);
    assert.equal(left?.headers['content-length'], String(body.length));
    assert.equal(await kit.calls.sent.at(-1)?.gone(), sha256(body));
  }
});

test('gateway bodies: a request with a new body leaves without compression, with its own length and hash', async t => {
  const kit = await echoing(t);
  for (const size of [0, 1, 10, 1_000_000, 5_000_000]) {
    const replaced = randomBytes(size);
    kit.calls.prepareWith = () => kit.calls.send(replaced);
    const answer = await fetch(kit.url('/v1/messages'), {
      method: 'POST',
      body: gzipSync(TEXT),
      headers: { 'content-encoding': 'gzip', 'content-digest': 'sha-256=:old:', 'x-kept': 'yes' },
    });
    assert.equal(answer.status, 200);
    const left = kit.upstream.requests.at(-1);
    assert.ok(left?.body.equals(replaced));
    assert.equal(left?.headers['content-encoding'], undefined);
    assert.equal(left?.headers['content-digest'], undefined);
    assert.equal(left?.headers['content-length'], String(size));
    assert.equal(left?.headers['x-kept'], 'yes');
    assert.equal(await kit.calls.sent.at(-1)?.gone(), sha256(replaced));
    assert.equal(await kit.calls.sent.at(-1)?.ended(), 'whole');
    assert.deepEqual(kit.calls.sent.at(-1)?.told, ['left', 'head', 'end'], 'the receipt is there before the answer');
  }
});

test('gateway bodies: a compression that nobody knows gets 415 in words, and nothing is sent on', async t => {
  const kit = await echoing(t);
  for (const encoding of ['compress', 'gzip, gzip, gzip', 'aes128gcm']) {
    const answer = await fetch(kit.url('/v1/messages'), {
      method: 'POST',
      body: 'x',
      headers: { 'content-encoding': encoding },
    });
    assert.equal(answer.status, 415);
    assert.match(((await answer.json()) as { error: { message: string } }).error.message, /gzip, deflate, br and zstd/);
  }
  assert.equal(kit.upstream.requests.length, 0);
});

test('gateway bodies: a body that is not what its encoding says gets 400 in words, and nothing is sent on', async t => {
  const kit = await echoing(t);
  const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
  for (const [encoding, body] of [
    ['gzip', Buffer.from('no gzip')],
    ['gzip', half(gzipSync(TEXT))],
    ['br', half(brotliCompressSync(TEXT))],
    ['deflate', Buffer.from([1, 2, 3])],
    ['zstd', Buffer.from('no zstd at all, but long enough')],
    ['zstd', half(zstdCompressSync(TEXT))],
    ['zstd', half(await zstdStreamed(TEXT))],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
    // A window of 2 GB.
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00])],
    ['zstd', Buffer.concat(Array.from({ length: 200 }, () => zstdCompressSync('')))],
  ] as const) {
    const answer = await fetch(kit.url('/v1/messages'), {
      method: 'POST',
      body,
      headers: { 'content-encoding': encoding },
    });
    assert.equal(answer.status, 400, encoding);
    assert.match(await answer.text(), /could not be decompressed/);
  }
  assert.equal(kit.upstream.requests.length, 0);
  assert.deepEqual(kit.faults, []);
});

/** 200 MB of zeros in blocks that repeat one byte: 4 bytes for each 128 kB. */
function zstdBomb(): Buffer {
  const block = Buffer.from([...threeBytes((131_072 << 3) | 2), 0]);
  const last = Buffer.from([...threeBytes((131_072 << 3) | 3), 0]);
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
    ...Array.from({ length: 1_600 }, () => block),
    last,
  ]);
}

function threeBytes(value: number): readonly number[] {
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
}

/** 200 MB of zeros, by way of a stream so that the test holds no such text. */
async function gzipBomb(): Promise<Buffer> {
  const stream = createGzip();
  const pieces: Buffer[] = [];
  stream.on('data', piece => pieces.push(piece));
  const ended = new Promise(resolve => stream.once('end', resolve));
  const zeros = Buffer.alloc(1_000_000);
  for (let at = 0; at < 200; at += 1) {
    await new Promise<void>(resolve => stream.write(zeros, () => resolve()));
  }
  stream.end();
  await ended;
  return Buffer.concat(pieces);
}

test('gateway bodies: what is longer than 100 MB when decompressed gets 413 in words', async t => {
  const kit = await echoing(t);
  const claims = Buffer.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0xa0,
    ...new Uint8Array(new Uint32Array([100_000_001]).buffer),
    1,
    0,
    0,
  ]);
  for (const [encoding, body] of [
    ['zstd', zstdBomb()],
    ['zstd', claims],
    ['gzip', await gzipBomb()],
  ] as const) {
    const answer = await fetch(kit.url('/v1/messages'), {
      method: 'POST',
      body,
      headers: { 'content-encoding': encoding },
    });
    assert.equal(answer.status, 413, encoding);
    assert.match(await answer.text(), /decompressed, larger than the 100 MB/);
  }
  assert.equal(kit.upstream.requests.length, 0);
});

test('gateway bodies: a body of exactly the limit is taken; one byte more gets 413 in words, announced or not', async t => {
  assert.equal(SERVER_LIMITS.bodyBytes, 100_000_000);
  const kit = await echoing(t);
  const { port, token, hookToken } = kit.gateway;
  const announced = kit.raw();
  announced.socket.write(
    head(`POST /${token}/anthropic/v1/messages HTTP/1.1`, `Host: localhost:${port}`, 'Content-Length: 100000001'),
  );
  const text = await announced.until('the answer', received => received.includes('}'));
  assert.match(text, /^HTTP\/1\.1 413 [^]*This request is larger than the 100 MB/);
  const hook = await fetch(`http://127.0.0.1:${port}/${hookToken}/_hook/claude`, {
    method: 'POST',
    body: Buffer.alloc(1_000_001),
  });
  assert.equal(hook.status, 413);
  assert.match(await hook.text(), /1 MB/);
  const whole = await fetch(`http://127.0.0.1:${port}/${hookToken}/_hook/claude`, {
    method: 'POST',
    body: new Uint8Array(1_000_000).fill(120),
  });
  assert.equal(whole.status, 200);
  for (const [length, fits] of [
    [10, true],
    [11, false],
  ] as const) {
    const reading = decodeBody(gzipSync(Buffer.alloc(length)), 'gzip', 10);
    await (fits ? reading : assert.rejects(reading, RequestProblem));
    const zstd = decodeBody(zstdCompressSync(Buffer.alloc(length)), 'zstd', 10);
    await (fits ? zstd : assert.rejects(zstd, RequestProblem));
  }
  assert.equal(kit.upstream.requests.length, 0);
  assert.deepEqual(
    kit.calls.hooks.map(({ body }) => body.length),
    [1_000_000],
  );
});

test('gateway bodies: an unannounced body is counted as it comes, and the connection serves the next request', async t => {
  const kit = await echoing(t);
  const { port, token, hookToken } = kit.gateway;
  const agent = kit.raw();
  agent.socket.write(
    head(`POST /${hookToken}/_hook/claude HTTP/1.1`, `Host: localhost:${port}`, 'Transfer-Encoding: chunked'),
  );
  const piece = Buffer.alloc(300_000, 'x');
  for (let at = 0; at < 8; at += 1) {
    agent.socket.write(`${piece.length.toString(16)}\r\n`);
    agent.socket.write(piece);
    agent.socket.write('\r\n');
  }
  await agent.until('the refusal', text => text.includes('HTTP/1.1 413 '));
  agent.socket.write('0\r\n\r\n');
  agent.socket.write(
    head(`GET /${token}/anthropic/v1/models HTTP/1.1`, `Host: localhost:${port}`, 'Connection: close'),
  );
  assert.match(await agent.whole(), /HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 OK/);
});

test('gateway bodies: what is none of ours is not decoded, not read whole, and keeps length and compression', async t => {
  const kit = await echoing(t);
  const body = Buffer.from('certainly no zstd');
  const answer = await fetch(kit.url('/v1/files?purpose=x'), {
    method: 'POST',
    body,
    headers: { 'content-encoding': 'zstd' },
  });
  assert.equal(answer.status, 200);
  const left = kit.upstream.requests.at(-1);
  assert.deepEqual(
    [left?.url, left?.body.toString(), left?.headers['content-length'], left?.headers['content-encoding']],
    ['/v1/files?purpose=x', 'certainly no zstd', String(body.length), 'zstd'],
  );
  assert.equal(kit.calls.seen.length, 0);
});

test('gateway bodies: zstd data of every kind of frame give the bytes that went in', async () => {
  const lockfile = readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8');
  const noise = randomBytes(300_000).toString('latin1');
  for (const text of [lockfile, noise, noise + lockfile + noise, '', 'a', lockfile.slice(0, 131_072)]) {
    for (const body of [zstdCompressSync(text), await zstdStreamed(text), zstdThorough(text)]) {
      const decoded = await decodeBody(body, 'zstd', 10_000_000);
      assert.ok(decoded.equals(Buffer.from(text)), `${text.length} characters`);
    }
  }
});

test('gateway bodies: random bytes as zstd data are an error in words, never a crash', async () => {
  const valid = zstdCompressSync(TEXT.slice(0, 3_000));
  for (let at = 0; at < valid.length; at += 1) {
    const broken = Buffer.from(valid);
    broken.writeUInt8(broken.readUInt8(at) ^ 0x55, at);
    await decodeBody(broken, 'zstd', 100_000).catch((error: unknown) => assert.ok(error instanceof RequestProblem));
  }
});
