import assert from 'node:assert/strict';
import { test } from 'node:test';
import { product } from '../../protocol/product.ts';
import { readCommandLine } from '../../server/commandLine.ts';

test('each way to talk to the editor can be named, with a value after a blank or an equals sign', () => {
  assert.deepEqual(readCommandLine(['--stdio']), { kind: 'stdio' });
  assert.deepEqual(readCommandLine(['--node-ipc', '--clientProcessId=12']), { kind: 'node-ipc' });
  assert.deepEqual(readCommandLine(['--socket=6009']), { kind: 'socket', port: 6009 });
  assert.deepEqual(readCommandLine(['--socket', '6009']), { kind: 'socket', port: 6009 });
  assert.deepEqual(readCommandLine(['--pipe=/tmp/a=b']), { kind: 'pipe', name: '/tmp/a=b' });
  assert.deepEqual(readCommandLine(['--clientProcessId', '12', '--stdio']), { kind: 'stdio' });
});

test('version and help win over everything else', () => {
  assert.deepEqual(readCommandLine(['--version']), { kind: 'print', text: product.version });
  const help = readCommandLine(['--stdio', '--help']);
  assert.ok(help.kind === 'print' && help.text.includes('--socket=<port>'));
});

for (const [args, reason] of [
  [[], 'Say how to talk to the editor.'],
  [['--studio'], '--studio is no flag'],
  [['--stdio', '--node-ipc'], 'Only one way'],
  [['--socket'], '--socket needs a port'],
  [['--socket=0'], '--socket needs a port'],
  [['--socket=http'], '--socket needs a port'],
  [['--socket=70000'], '--socket needs a port'],
  [['--pipe='], '--pipe needs a name'],
] as const) {
  test(`wrong flags get one sentence: ${args.join(' ') || 'none'}`, () => {
    const answer = readCommandLine(args);
    assert.ok(answer.kind === 'wrong' && answer.text.startsWith(reason), JSON.stringify(answer));
    assert.ok(answer.text.endsWith('--help for all flags.'));
  });
}
