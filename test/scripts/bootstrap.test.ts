import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';
import { isInstalled } from '../../scripts/packages.mjs';

const installing = /^Installing the packages/gm;
const folders: string[] = [];
after(() => folders.forEach(folder => rmSync(folder, { recursive: true, force: true })));

/** A repository with our bootstrap, one locked package that needs no network, and one script. */
function makeRepository(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-test-'));
  folders.push(folder);
  for (const file of ['bootstrap.mjs', 'packages.mjs']) {
    cpSync(inRepository('scripts', file), join(folder, 'scripts', file));
  }
  writeFileSync(join(folder, 'scripts/say.ts'), script);
  writeFileSync(join(folder, 'scripts/sayMore.ts'), script);
  mkdirSync(join(folder, 'helper'));
  writeFileSync(join(folder, 'helper/package.json'), '{"name":"helper","version":"1.0.0"}');
  writeManifest(folder, { helper: 'file:helper' });
  return folder;
}

type Versions = Readonly<Record<string, string>>;

function writeManifest(folder: string, dependencies: Versions, devDependencies: Versions = {}): void {
  const manifest = { name: 'repository', version: '1.0.0', type: 'module', dependencies, devDependencies };
  const packages = {
    '': manifest,
    helper: { version: '1.0.0' },
    'node_modules/helper': { resolved: 'helper', link: true, dev: 'helper' in devDependencies },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const lockfile = { name: 'repository', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
}

function start(
  folder: string,
  args: readonly string[],
  nodeArgs: readonly string[] = [],
  env = process.env,
): ChildProcess {
  return spawn(process.execPath, [...nodeArgs, join(folder, 'scripts/bootstrap.mjs'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

async function run(
  folder: string,
  args: readonly string[],
  nodeArgs: readonly string[] = [],
  env = process.env,
): Promise<Ended> {
  const child = start(folder, args, nodeArgs, env);
  let output = '';
  child.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => (output += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const saysItsArguments = `console.log('said', process.argv.slice(2).join('+')); process.exitCode = 7;`;

test('missing packages are installed with one line, then the script runs with its arguments and its exit code', async () => {
  const folder = makeRepository(saysItsArguments);
  const first = await run(folder, ['say', '--smoke', 'a b']);
  assert.match(
    first.output,
    /^Installing the packages in package-lock\.json \(about \d+ MB to download, \d+ MB on disk\) …$/m,
  );
  assert.match(first.output, /^said --smoke\+a b$/m);
  assert.equal(first.code, 7);
  const second = await run(folder, ['say']);
  assert.equal(second.output.trim(), 'said', 'the second run installs nothing and prints nothing of its own');
});

test('stale and half-installed packages are installed again', async () => {
  const folder = makeRepository(saysItsArguments);
  await run(folder, ['say']);
  rmSync(join(folder, 'node_modules/helper'), { recursive: true });
  const halfInstalled = await run(folder, ['say']);
  assert.equal(halfInstalled.output.match(installing)?.length, 1, halfInstalled.output);

  rmSync(join(folder, 'node_modules/.package-lock.json'));
  const interrupted = await run(folder, ['say']);
  assert.equal(interrupted.output.match(installing)?.length, 1, interrupted.output);

  const lockfile = join(folder, 'package-lock.json');
  const damaged = readFileSync(lockfile, 'utf8').replace(
    '"node_modules/helper":{',
    '"node_modules/helper":{"version":"2.0.0",',
  );
  writeFileSync(lockfile, damaged);
  const newer = await run(folder, ['say']);
  assert.equal(newer.output.match(installing)?.length, 1, newer.output);
});

test('an installation that fails ends with one sentence and code 1, and the script does not run', async () => {
  const folder = makeRepository(saysItsArguments);
  writeFileSync(join(folder, 'package.json'), '{"name":"repository","dependencies":{"helper":"file:elsewhere"}}');
  const { code, output } = await run(folder, ['say']);
  assert.equal(code, 1);
  assert.match(output, /npm could not install the packages of .*; its message is above\.\n$/);
  assert.doesNotMatch(output, /said/);
});

test('a machine without npm is told so in one sentence', async () => {
  const { code, output } = await run(makeRepository(saysItsArguments), ['say'], [], { PATH: '' });
  assert.equal(code, 1);
  assert.match(output, /^npm could not be started \(.*\): install it and try again\.$/m);
  assert.doesNotMatch(output, /said|above/);
});

test('packages that the user leaves out elsewhere are installed all the same', async () => {
  const folder = makeRepository(saysItsArguments);
  const omitted = { ...process.env, npm_config_omit: 'dev,optional', NODE_ENV: 'production' };
  writeManifest(folder, {}, { helper: 'file:helper' });
  const first = await run(folder, ['say'], [], omitted);
  assert.equal(first.code, 7, first.output);
  assert.ok(isInstalled(folder));
});

test('an optional package counts as missing only where it names this machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-test-'));
  folders.push(folder);
  const isInstalledWithout = (locked: object) => {
    const packages = { '': {}, 'node_modules/native': { version: '1.0.0', optional: true, ...locked } };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: {} }));
    return isInstalled(folder);
  };
  const { platform, arch } = process;
  assert.equal(isInstalledWithout({ os: [platform], cpu: [arch] }), false);
  assert.equal(isInstalledWithout({ os: platform, cpu: arch }), false);
  assert.equal(isInstalledWithout({ os: ['aix'], cpu: [arch] }), true);
  assert.equal(isInstalledWithout({ os: [platform], cpu: ['s390x'] }), true);
  assert.equal(isInstalledWithout({ os: [platform], cpu: [arch], libc: ['no such library'] }), true);
  assert.equal(isInstalledWithout({}), true);
});

test('a name with a colon is a file in camelCase', async () => {
  const { output } = await run(makeRepository(saysItsArguments), ['say:more', 'x']);
  assert.match(output, /^said x$/m);
});

test('a Node that is too old is told so in one sentence', async () => {
  const folder = makeRepository(saysItsArguments);
  const pretend = join(folder, 'pretend.cjs');
  writeFileSync(pretend, `Object.defineProperty(process, 'version', { value: 'v20.18.3' });`);
  const { code, output } = await run(folder, ['say'], ['--require', pretend]);
  assert.equal(code, 1);
  assert.equal(output, 'Node v20.18.3 is too old: install Node 20.19 or newer (https://nodejs.org) and try again.\n');
});

const startsAStubbornProcess = `
import { spawn } from 'node:child_process';
const stubborn = "process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); console.log(process.pid); setInterval(() => {}, 1000);";
spawn(process.execPath, ['-e', stubborn], { stdio: 'inherit' });
setInterval(() => {}, 1000);`;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends the script and everything that it started`, { timeout: 30_000 }, async () => {
    const child = start(makeRepository(startsAStubbornProcess), ['say']);
    const grandchild = await new Promise<number>(resolve => {
      child.stdout?.on('data', (piece: Buffer) => {
        const line = /^(\d+)$/m.exec(piece.toString());
        if (line) resolve(Number(line[1]));
      });
    });
    process.kill(grandchild, 0);
    child.kill(signal);
    // 'close' comes only when nobody holds the output any more: the stubborn process is gone too
    const [code] = (await once(child, 'close')) as [number | null];
    assert.notEqual(code, 0);
  });
}
