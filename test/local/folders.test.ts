import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { test } from 'node:test';
import { folders, foldersIn, homeFolder, type Machine, SOCKET_NAME_BYTES } from '../../local/folders.ts';
import { UnsafeFolderError } from '../../local/unsafeFolderError.ts';
import { parseUserConfig } from '../../local/userConfig.ts';

const linux = { platform: 'linux', home: '/home/u', uid: 1000 } as const;
const mac = { platform: 'darwin', home: '/Users/u', uid: 501 } as const;
const windows = { platform: 'win32', home: 'C:\\Users\\u' } as const;

function on(machine: Omit<Machine, 'env'>, env: Machine['env'] = {}) {
  return folders({ ...machine, env });
}

test('folders: Linux with the XDG variables set', () => {
  const env = { XDG_RUNTIME_DIR: '/run/user/1000', XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' };
  assert.deepEqual(on(linux, env), {
    run: '/run/user/1000/context-lifecycle',
    runFolders: ['/run/user/1000/context-lifecycle', '/s/context-lifecycle/run'],
    sessions: '/s/context-lifecycle/sessions',
    handoffs: '/s/context-lifecycle/handoffs',
    configFile: '/c/context-lifecycle/config.json',
    notices: [],
  });
});

test('folders: XDG_RUNTIME_DIR missing: sessions announce themselves beside the logs, and the usual place is looked at too', () => {
  assert.deepEqual(on(linux), {
    run: '/home/u/.local/state/context-lifecycle/run',
    runFolders: ['/home/u/.local/state/context-lifecycle/run', '/run/user/1000/context-lifecycle'],
    sessions: '/home/u/.local/state/context-lifecycle/sessions',
    handoffs: '/home/u/.local/state/context-lifecycle/handoffs',
    configFile: '/home/u/.config/context-lifecycle/config.json',
    notices: [],
  });
});

test('folders: an editor with XDG_RUNTIME_DIR and an agent without it look at each other’s folder', () => {
  const editor = on(linux, { XDG_RUNTIME_DIR: '/run/user/1000' });
  const agent = on(linux);
  assert.ok(editor.runFolders.includes(agent.run));
  assert.ok(agent.runFolders.includes(editor.run));
});

test('folders: macOS', () => {
  const library = '/Users/u/Library/Application Support/context-lifecycle';
  const { run, sessions, configFile } = on(mac);
  assert.deepEqual([run, sessions, configFile], [`${library}/run`, `${library}/sessions`, `${library}/config.json`]);
});

test('folders: Windows, where pipes have a place of their own', () => {
  const env = { LOCALAPPDATA: 'D:\\Local', APPDATA: 'D:\\Roaming' };
  assert.deepEqual(on(windows, env), {
    run: 'D:\\Local\\context-lifecycle\\run',
    runFolders: ['D:\\Local\\context-lifecycle\\run'],
    sessions: 'D:\\Local\\context-lifecycle\\sessions',
    handoffs: 'D:\\Local\\context-lifecycle\\handoffs',
    configFile: 'D:\\Roaming\\context-lifecycle\\config.json',
    notices: [],
  });
  assert.equal(on(windows).sessions, 'C:\\Users\\u\\AppData\\Local\\context-lifecycle\\sessions');
  assert.equal(on(windows).configFile, 'C:\\Users\\u\\AppData\\Roaming\\context-lifecycle\\config.json');
  const long = `C:\\${'u'.repeat(200)}`;
  assert.equal(on({ ...windows, home: long }).run, `${long}\\AppData\\Local\\context-lifecycle\\run`);
});

test('folders: CONTEXT_LIFECYCLE_HOME is one folder for everything, whatever else is set', () => {
  const everything = {
    run: '/h/run',
    runFolders: ['/h/run'],
    sessions: '/h/sessions',
    handoffs: '/h/handoffs',
    configFile: '/h/config.json',
    notices: [],
  };
  assert.deepEqual(
    on(linux, { CONTEXT_LIFECYCLE_HOME: '/h', XDG_RUNTIME_DIR: '/r', XDG_STATE_HOME: '/s' }),
    everything,
  );
  assert.deepEqual(foldersIn('/h', { ...linux, env: {} }), everything);
  assert.equal(on(windows, { CONTEXT_LIFECYCLE_HOME: 'E:\\h' }).sessions, 'E:\\h\\sessions');
});

test('folders: a CONTEXT_LIFECYCLE_HOME that is no whole path is refused: each program would find another folder', () => {
  assert.throws(
    () => on(linux, { CONTEXT_LIFECYCLE_HOME: 'here' }),
    new UnsafeFolderError(
      'here',
      'CONTEXT_LIFECYCLE_HOME is no whole path.',
      'Set it to a path that begins at the root.',
    ),
  );
});

test('folders: an XDG variable that is no whole path counts as not set, and is named', () => {
  const { sessions, notices } = on(linux, { XDG_STATE_HOME: 'state', XDG_RUNTIME_DIR: '/r' });
  assert.equal(sessions, '/home/u/.local/state/context-lifecycle/sessions');
  assert.deepEqual(notices, ['XDG_STATE_HOME is no whole path, so it counts as not set.']);
  const runtime = on(linux, { XDG_RUNTIME_DIR: 'run' });
  assert.equal(runtime.run, '/home/u/.local/state/context-lifecycle/run');
  assert.deepEqual(runtime.notices, ['XDG_RUNTIME_DIR is no whole path, so it counts as not set.']);
});

test('folders: where a socket’s path would be too long, a short private folder in /tmp is used, and said so', () => {
  for (const [machine, limit] of [
    [linux, 107],
    [mac, 103],
  ] as const) {
    const longest = `/${'h'.repeat(limit - SOCKET_NAME_BYTES - '/'.length - '/run/'.length)}`;
    assert.equal(on(machine, { CONTEXT_LIFECYCLE_HOME: longest }).run, `${longest}/run`);
    const { run, sessions, notices } = on(machine, { CONTEXT_LIFECYCLE_HOME: `${longest}h` });
    assert.match(run, new RegExp(`^/tmp/context-lifecycle-${machine.uid}-[0-9a-f]{8}$`));
    assert.equal(sessions, `${longest}h/sessions`);
    assert.deepEqual(notices, [
      `${longest}h/run is too long a path for sockets, so sessions announce themselves in ${run}.`,
    ]);
    assert.notEqual(on(machine, { CONTEXT_LIFECYCLE_HOME: `${longest}x` }).run, run, 'each home has its own');
  }
});

test('folders: bytes of a path count, not characters', () => {
  const home = `/${'ü'.repeat(40)}`;
  assert.match(on(linux, { CONTEXT_LIFECYCLE_HOME: home }).run, /^\/tmp\//);
  assert.equal(on(linux, { CONTEXT_LIFECYCLE_HOME: `/${'u'.repeat(40)}` }).run, `/${'u'.repeat(40)}/run`);
});

test('folders: a user without a home folder is told to name one, and needs none then', () => {
  for (const [home, says] of [
    ['', /^This system knows no home folder of yours\. Set CONTEXT_LIFECYCLE_HOME/],
    ['u', /^Your home folder, u, is no whole path\. Set CONTEXT_LIFECYCLE_HOME/],
  ] as const) {
    for (const machine of [linux, mac]) {
      const env = { XDG_RUNTIME_DIR: '/r', XDG_CONFIG_HOME: '/c' };
      assert.throws(
        () => on({ ...machine, home }, env),
        (error: unknown) => error instanceof UnsafeFolderError && says.test(error.message),
      );
    }
    assert.equal(on({ ...linux, home }, { CONTEXT_LIFECYCLE_HOME: '/h' }).sessions, '/h/sessions');
    const env = { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' };
    assert.equal(on({ ...linux, home }, env).sessions, '/s/context-lifecycle/sessions');
  }
});

test('folders: a user whom the system does not know gets a sentence, not an error of the system', async t => {
  t.mock.method(os, 'homedir', () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.equal(homeFolder(), '');
  assert.equal(foldersIn('/h').sessions, '/h/sessions');
  const { config, problems } = parseUserConfig('/c', '{"sources": ["~/AGENTS.md"]}');
  assert.deepEqual(config.sources, []);
  assert.match(problems[0] ?? '', /'sources\[0\]' must be a whole path/);
});
