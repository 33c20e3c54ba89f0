import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocketPathError, socketAddress, socketName } from '../../../local/wire/socketPath.ts';

const NAME = '0123456789abcdef';
const FILE = `${NAME}.json`;

test('wire: on Windows the name of the pipe follows from the folder and the name of the announcement', () => {
  const folder = 'C:\\Users\\Ada\\AppData\\Local\\context-lifecycle\\run';
  const name = socketName(folder, NAME, 'win32');
  assert.match(name, /^\\\\\.\\pipe\\context-lifecycle-[0-9a-f]{16}-0123456789abcdef$/);
  assert.ok(name.length < 256, 'pipe names have at most 256 characters');
  // Windows does not tell upper from lower case in paths.
  assert.equal(socketName(folder.toUpperCase(), NAME, 'win32'), name);
  assert.notEqual(socketName(`${folder}2`, NAME, 'win32'), name);
  assert.notEqual(socketName(folder, 'fedcba9876543210', 'win32'), name);
  assert.equal(socketAddress(folder, `${folder}\\${FILE}`.replaceAll('\\', '/'), name, 'win32'), name);
});

test('wire: on Windows a pipe that an announcement may not name is refused', () => {
  for (const pipe of [
    '\\\\.\\pipe\\other',
    '\\\\server\\pipe\\x',
    socketName('D:\\', NAME, 'win32'),
    `${NAME}.sock`,
    '',
  ]) {
    assert.throws(() => socketAddress('C:\\run', FILE, pipe, 'win32'), SocketPathError);
  }
});

test('wire: elsewhere the socket lies beside its announcement and has its name', () => {
  assert.equal(socketName('/run/user/1/context-lifecycle', NAME, 'linux'), `${NAME}.sock`);
  assert.equal(socketAddress('/run/x', `/run/x/${FILE}`, `${NAME}.sock`, 'linux'), `/run/x/${NAME}.sock`);
  for (const socket of [
    '/tmp/evil.sock',
    `../${NAME}.sock`,
    `sub/${NAME}.sock`,
    'fedcba9876543210.sock',
    `${NAME}.sock\0`,
    '',
    '.',
  ]) {
    assert.throws(() => socketAddress('/run/x', `/run/x/${FILE}`, socket, 'linux'), {
      name: 'SocketPathError',
      message: 'it names a socket that is not its own',
    });
  }
});

for (const [platform, limit] of [
  ['linux', 107],
  ['darwin', 103],
  ['freebsd', 103],
] as const) {
  test(`wire: on ${platform} a socket's path has at most ${limit} bytes, counted in UTF-8`, () => {
    const room = limit - `/${NAME}.sock`.length;
    const longest = `/${'ü'.repeat((room - 1) / 2)}`.padEnd(room - Math.floor((room - 1) / 2), 'x');
    const at = (folder: string) => socketAddress(folder, `${folder}/${FILE}`, `${NAME}.sock`, platform);
    assert.equal(Buffer.byteLength(at(longest)), limit);
    assert.throws(() => at(`${longest}x`), SocketPathError);
  });
}
