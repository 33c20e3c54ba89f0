// Bundles the suites of this folder and runs them inside a VS Code that has the extension in development.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { codeExecutable, ensureHost } from '../host/install.ts';
import { makeProfile, makeTemporaryFolder, writeSettings } from '../host/profile.ts';

const repository = join(import.meta.dirname, '../..');
const bundles = join(repository, '.cache/inHost');
/** Mocha's own counts, written by the suites' index. */
const resultFile = join(bundles, 'result.json');
const useDesktop = process.env['VSCODE_TEST_HOST'] === 'desktop';

await bundleSuites();
if (!useDesktop) ensureHost();
process.exitCode = await runSuites();

async function bundleSuites(): Promise<void> {
  rmSync(bundles, { recursive: true, force: true });
  await build({
    entryPoints: readdirSync(import.meta.dirname)
      .filter(name => name === 'index.ts' || name.endsWith('.test.ts'))
      .map(name => join(import.meta.dirname, name)),
    outdir: bundles,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

async function runSuites(): Promise<number> {
  const workspace = join(makeTemporaryFolder('workspace'), 'project');
  cpSync(join(repository, 'test/fixtures/inHost'), workspace, { recursive: true });
  const profile = makeProfile();
  writeSettings(profile);
  try {
    return await runTests({
      ...(useDesktop ? {} : { vscodeExecutablePath: codeExecutable }),
      extensionDevelopmentPath: repository,
      extensionTestsPath: join(bundles, 'index.cjs'),
      launchArgs: [workspace, '--user-data-dir', profile.userData, '--extensions-dir', profile.extensions],
      extensionTestsEnv: { CONTEXT_LIFECYCLE_RESULT: resultFile },
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
