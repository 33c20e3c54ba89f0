// Plain JavaScript that old Node versions can read too: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {string | readonly string[]} Names of systems, processors or C libraries, as npm writes them */
/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: Names, cpu?: Names, libc?: Names }} LockedPackage */

/**
 * Whether a folder's node_modules holds what its package-lock.json says. npm writes node_modules/.package-lock.json as its
 * last step, so an interrupted or older installation differs from the lockfile. npm also goes on in silence when it could not
 * download an optional package; those that name this machine are the programs that we run, so they must be there.
 * @param {string} folder
 * @returns {boolean}
 */
export function isInstalled(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const present = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.keys(wanted).every(path => {
    const want = wanted[path];
    const have = present[path];
    if (path === '' || !want || !path.startsWith('node_modules/')) return true;
    if (!have) return want.optional === true && !namesThisMachine(want);
    return (
      have.version === want.version &&
      have.integrity === want.integrity &&
      existsSync(join(folder, path, 'package.json'))
    );
  });
}

/** @param {LockedPackage} locked */
function namesThisMachine({ os, cpu, libc }) {
  return Boolean(os && cpu) && allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, cLibrary());
}

/**
 * @param {Names | undefined} names
 * @param {string} name
 */
function allows(names, name) {
  return names === undefined || [names].flat().includes(name);
}

/** The C library of a Linux system, told as npm does. */
function cLibrary() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * Installs a folder's locked packages without running their scripts.
 * @param {string} folder
 * @param {string} what one line for the person who waits: what is installed, and how large it is
 * @throws {Error} one sentence, when npm fails
 */
export function install(folder, what) {
  console.log(what);
  const options = /** @type {const} */ ({ cwd: folder, stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } });
  // whatever the user's own npm leaves out
  const kinds = ['--include=dev', '--include=optional'];
  const args = ['ci', ...kinds, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const result =
    npm && /npm-cli\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.error) throw new Error(`npm could not be started (${result.error.message}): install it and try again.`);
  if (result.status !== 0) throw new Error(`npm could not install the packages of ${folder}; its message is above.`);
}

/**
 * @param {string} lockfile
 * @returns {Record<string, LockedPackage> | undefined} absent when the file is missing or damaged
 */
function readPackages(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
