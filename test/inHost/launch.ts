// Bundles the suites of this folder and runs them inside a VS Code that has the extension in development.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { filesUnder, repository } from '../../scripts/build/paths.ts';
import { codeExecutable, ensureHost } from '../host/install.ts';
import { makeProfile, makeTemporaryFolder, type Profile, writeSettings } from '../host/profile.ts';

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
    const exitCode = await runTests({
      ...(useDesktop ? { cachePath: join(repository, '.cache/vscode') } : { vscodeExecutablePath: codeExecutable }),
      extensionDevelopmentPath: repository,
      extensionTestsPath: join(bundles, 'index.cjs'),
      launchArgs: [workspace, '--user-data-dir', profile.userData, '--extensions-dir', profile.extensions],
      extensionTestsEnv: {
        CONTEXT_LIFECYCLE_RESULT: resultFile,
        // sessions of this machine's user are nobody's business here
        CONTEXT_LIFECYCLE_HOME: makeTemporaryFolder('home'),
        CONTEXT_LIFECYCLE_REPOSITORY: repository,
      },
    });
    const errors = errorsOfExtension(profile);
    if (errors.length > 0) throw new Error(`The extension host logged errors of the extension:\n${errors.join('\n')}`);
    return exitCode;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** What the extension threw where no test could see it, for example while it was switched off. */
function errorsOfExtension({ userData }: Profile): readonly string[] {
  return filesUnder(join(userData, 'logs'))
    .filter(file => file.endsWith('exthost.log'))
    .flatMap(file => readFileSync(join(userData, 'logs', file), 'utf8').split(/^(?=\d{4}-\d\d-\d\dT)/m))
    .filter(entry => entry.includes('[error]') && entry.includes(join(repository, 'dist')));
}
