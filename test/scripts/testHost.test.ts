import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inRepository } from '../../scripts/build/paths.ts';
import { findChromium } from '../host/chromium.ts';
import { parseDesktopArguments } from '../host/desktopArguments.ts';

test('the command line of desktop VS Code is understood as @vscode/test-electron and people write it', () => {
  const parsed = parseDesktopArguments([
    '/work/project',
    '--user-data-dir',
    '/u',
    '--extensions-dir=/e',
    '--no-sandbox',
    '--skip-welcome',
    '--disable-extensions',
    '--extensionTestsPath=/tests/index.cjs',
    '--extensionDevelopmentPath=/one',
    '--extensionDevelopmentPath=file:///two%20words',
    '--folder-uri',
    'file:///other',
  ]);
  assert.deepEqual(parsed, {
    open: ['/work/project', '/other'],
    developedExtensions: ['/one', '/two words'],
    testModule: '/tests/index.cjs',
    userData: '/u',
    extensions: '/e',
    disableInstalledExtensions: true,
    serverCommand: [],
  });
  const { serverCommand } = parseDesktopArguments(['--install-extension', 'a.vsix', '--force', '--list-extensions']);
  assert.deepEqual(serverCommand, ['--install-extension', 'a.vsix', '--list-extensions', '--force']);
});

/** Runs `action` with other values of some environment variables. */
function withEnvironment(values: Readonly<Record<string, string>>, action: () => void): void {
  const before = { ...process.env };
  Object.assign(process.env, values);
  try {
    action();
  } finally {
    process.env = before;
  }
}

test('a missing Chromium is one sentence that says how to get one', () => {
  withEnvironment({ CHROMIUM_PATH: '/no/such/chromium' }, () => {
    assert.throws(findChromium, {
      message: 'CHROMIUM_PATH names /no/such/chromium, which does not exist: set it to a Chromium or Chrome program.',
    });
  });
  withEnvironment({ CHROMIUM_PATH: '', PATH: '/no/such/folder' }, () => {
    // a system may have one outside the path
    try {
      assert.ok(existsSync(findChromium()));
    } catch (error) {
      assert.match(String(error), /No Chromium was found: .*apt-get install chromium.*CHROMIUM_PATH/);
    }
  });
});

test('what a process started ends with it, in whatever way it ends', { timeout: 60_000 }, async () => {
  const startGroup = pathToFileURL(inRepository('test/host/processGroup.ts')).href;
  // the started process starts one of its own, as VS Code's server starts extension hosts
  const inner = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); process.send('running'); setInterval(() => {}, 1000);`;
  const outer = (whenRunning: string) => `
    const { startGroup } = await import(${JSON.stringify(startGroup)});
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const { child } = startGroup(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio });
    child.once('message', () => { ${whenRunning} });`;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', outer("console.log('ready');")], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill(signal);
    // 'close' comes only when no process holds the output any more
    await once(child, 'close');
  }
  // killed, the starter cleans nothing up any more
  const whenLeaderEnds =
    "child.once('exit', () => process.kill(process.pid, 'SIGKILL')); process.kill(child.pid, 'SIGKILL');";
  const leaderEnds = spawn(process.execPath, ['--input-type=module', '-e', outer(whenLeaderEnds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(leaderEnds, 'close');
  const failing = spawn(process.execPath, ['--input-type=module', '-e', outer("throw new Error('on purpose');")], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [code] = (await once(failing, 'close')) as [number];
  assert.equal(code, 1);
});

test('what cleans up runs although another task before it failed', () => {
  const cleanUp = pathToFileURL(inRepository('test/host/cleanUp.ts')).href;
  const script = `
    const { atEnd } = await import(${JSON.stringify(cleanUp)});
    atEnd(() => console.log('first'));
    atEnd(() => { throw new Error('busy'); });
    atEnd(() => console.log('forgotten'))();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout, stderr], [0, 'first\n', 'Cleaning up failed: busy\n']);
});
