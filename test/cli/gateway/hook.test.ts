import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, run } from '../cliKit.ts';
import { serverOf } from './gatewayKit.ts';

const NAME = 'claude-instructions';

function hook(cwd: string, address: string | undefined, stdin = '{"session_id":"s"}') {
  const env = address === undefined ? {} : { CONTEXT_LIFECYCLE_GATEWAY: address };
  return run(['gateway', 'hook', NAME], { cwd, stdin, env });
}

test('the hook hands standard input on as it is, and prints the answer as it is', async t => {
  const cwd = folderOf(t, {});
  const { address, received } = await serverOf(t, { body: '{"a": "\u001b[1m"}\n' });
  const said = '{"session_id": "1", "file_path": "/ä/CLAUDE.md"}\n';
  const { stdout, stderr, exitCode } = await hook(cwd, `${address}/TOKEN`, said);
  assert.deepEqual([stdout, stderr, exitCode], ['{"a": "\u001b[1m"}\n', '', 0]);
  assert.deepEqual(
    received.map(({ method, path, body }) => [method, path, body]),
    [['POST', `/TOKEN/_hook/${NAME}`, said]],
  );
});

test('the hook goes straight to this machine, whatever proxy is named', async t => {
  const cwd = folderOf(t, {});
  const { address, received } = await serverOf(t);
  const proxy = await serverOf(t);
  const env = { CONTEXT_LIFECYCLE_GATEWAY: `${address}/TOKEN`, HTTP_PROXY: proxy.address, NODE_USE_ENV_PROXY: '1' };
  assert.equal((await run(['gateway', 'hook', NAME], { cwd, stdin: '{}', env })).stderr, '');
  assert.equal(received.length, 1);
  assert.equal(proxy.received.length, 0);
});

test('a hook never fails its agent: it says in a sentence what is wrong, and its exit code is 0', async t => {
  const cwd = folderOf(t, {});
  const gone = 'http://127.0.0.1:1/TOKEN';
  const refusing = await serverOf(t, { status: 403, body: 'secret' });
  const moved = await serverOf(t, { status: 302 });
  for (const [address, sentence] of [
    [undefined, 'CONTEXT_LIFECYCLE_GATEWAY is not set, so it is not known where the gateway is.'],
    ['', 'CONTEXT_LIFECYCLE_GATEWAY is not set, so it is not known where the gateway is.'],
    ['nonsense', 'CONTEXT_LIFECYCLE_GATEWAY is no address of a gateway on this machine.'],
    [gone, 'No gateway listens at its address.'],
    [refusing.address, 'The gateway refused it (status 403).'],
    [moved.address, 'The gateway refused it (status 302).'],
  ] as const) {
    const result = await hook(cwd, address);
    assert.deepEqual(result, {
      stdout: '',
      stderr: `context-lifecycle: gateway hook ${NAME}: ${sentence}\n`,
      exitCode: 0,
    });
  }
});

test('what a hook is told never leaves this machine', async t => {
  const cwd = folderOf(t, {});
  for (const address of [
    'http://example.org/TOKEN',
    'http://10.0.0.1/TOKEN',
    'http://127.0.0.1.example.org/TOKEN',
    'https://127.0.0.1/TOKEN',
    'file:///etc/passwd',
  ]) {
    const { stderr, exitCode } = await hook(cwd, address);
    assert.match(stderr, /is no address of a gateway on this machine\.\n$/, address);
    assert.equal(exitCode, 0);
  }
});

test('a gateway that does not answer holds no agent up', async t => {
  const { address } = await serverOf(t, { hold: true });
  const { stderr, exitCode } = await hook(folderOf(t, {}), `${address}/TOKEN`);
  assert.match(stderr, /The gateway did not answer in time\.\n$/);
  assert.equal(exitCode, 0);
});
