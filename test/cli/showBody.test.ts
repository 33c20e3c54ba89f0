import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { AgentSession } from '../../adapter/agentSession.ts';
import type { Session } from '../../adapter/sessionTypes.ts';
import { ask, homeOf, INPUT, text } from './sessionKit.ts';

const sha256 = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex');

/** Builds a request, and logs that a gateway carries it in this body. */
async function send(
  session: Session,
  pieces: Parameters<AgentSession['logBody']>[1]['pieces'],
  body: string,
  encoding?: string,
): Promise<void> {
  await ask(session, { ...INPUT, messages: [text('user', 'Füße')] });
  const gateway = session as AgentSession;
  const left = encoding === undefined ? body : 'compressed';
  gateway.logBody(session.state.requests.length, {
    text: body,
    pieces,
    bytes: Buffer.byteLength(left),
    sha256: sha256(left),
    ...(encoding !== undefined && { encoding }),
  });
}

const BODY = `{"messages": [${JSON.stringify(text('user', 'Füße'))}],\n "n": 1.0}`;
const PIECES = ['{"messages": [', { messages: [0, 1] }, '],\n "n": 1.0}'] as const;

test('show --body prints the body that a gateway sent, byte for byte', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'through-a-gateway' });
  await send(session, PIECES, BODY);
  await session.close();
  assert.deepEqual(await cli('show', 'through', '1', '--body'), { stdout: BODY, stderr: '', exitCode: 0 });
  const readable = await cli('show', 'through', '1', '--format', 'text');
  assert.ok(readable.stdout.includes(`\nbody     ${Buffer.byteLength(BODY)} bytes, sha256 ${sha256(BODY)}\n`));
});

test('show --body of a body that left compressed prints what was compressed, and says so', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'zipped' });
  await send(session, PIECES, BODY, 'zstd');
  await session.close();
  const { stdout, stderr, exitCode } = await cli('show', 'zipped', '1', '--body');
  assert.equal(stdout, BODY);
  assert.equal(stderr, 'context-lifecycle: zipped: This body left compressed (zstd); this is what was compressed.\n');
  assert.equal(exitCode, 0);
  assert.match((await cli('show', 'zipped', '1', '--format', 'text')).stdout, /^body {5}10 bytes, zstd, sha256 /m);
});

test('show --body of a session without a gateway, and of a log of hashes, says why there is none', async t => {
  const { cli, open } = homeOf(t);
  const plain = await open({ sessionId: 'plain' });
  await ask(plain, { ...INPUT, messages: [text('user', 'a')] });
  await plain.close();
  const none = await cli('show', 'plain', '1', '--body');
  assert.deepEqual(none, {
    stdout: '',
    stderr:
      'context-lifecycle: plain: The log says nothing of the body of request 1: only a gateway makes the body that is sent.\n',
    exitCode: 2,
  });
  const hashed = await open({
    sessionId: 'hashed',
    config: { announce: false, countTokens: false, content: 'hashes' },
  });
  await send(hashed, PIECES, BODY);
  await hashed.close();
  const hash = await cli('show', 'hashed', '1', '--body');
  assert.equal(hash.stdout, '');
  assert.match(hash.stderr, /: This log holds the hash of the body of request 1, and not its content\.$/m);
  assert.equal(hash.exitCode, 2);
  const both = await cli('show', 'plain', '1', '--body', '--format', 'json');
  assert.match(both.stderr, /cannot be used with option/);
  assert.equal(both.exitCode, 2);
});

test('show --body says when the log gives another body than was sent, and when it gives none', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'tampered' });
  await send(session, PIECES, BODY);
  await session.close();
  const log = readFileSync(session.logFile, 'utf8');
  writeFileSync(session.logFile, log.replace('1.0}', '1.1}'));
  const other = await cli('show', 'tampered', '1', '--body');
  assert.match(other.stderr, /: This is not the body that was sent: the log says that its SHA-256 is [0-9a-f]{64}\.$/m);
  assert.equal(other.exitCode, 1);
  writeFileSync(session.logFile, log.replace('1.0}', '1.10}'));
  const longer = await cli('show', 'tampered', '1', '--body');
  assert.equal(longer.stdout, '');
  assert.match(
    longer.stderr,
    /: The request cannot be built: #\d+ of the log cannot be used, because its pieces make a body of /,
  );
  assert.equal(longer.exitCode, 2);
});
