import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { product } from '../../protocol/product.ts';
import { ensureHost } from '../../test/host/install.ts';
import { makeProfile, makeTemporaryFolder, writeSettings } from '../../test/host/profile.ts';
import { installExtension } from '../../test/host/server.ts';
import { runInExtensionHost } from '../../test/host/testRun.ts';
import type { DemoSession } from './demoSession.ts';
import { expectedFindings } from './expectedFindings.ts';

const firstSquiggleMilliseconds = 120_000;

/**
 * Opens the sample without a window, waits for the demo session and for the first squiggle, and prints what it saw: the session,
 * and every diagnostic that VS Code shows. Returns 0 when the session is live and the diagnostics are the command line's
 * findings, else 1.
 */
export async function smoke(vsix: string, sample: string, demo: DemoSession): Promise<number> {
  ensureHost();
  const expected = await expectedFindings(sample);
  console.log(await demo.untilLive());
  const profile = makeProfile();
  writeSettings(profile);
  await installExtension(profile, vsix);
  const probe = await makeProbe();
  // the probe waits for this file before it ends, and with it the window
  const squiggleSeen = join(profile.folder, 'squiggle-seen');
  const passed = await runInExtensionHost(profile, {
    workspace: sample,
    developedExtensions: [probe],
    testModule: join(probe, 'probe.cjs'),
    environment: {
      CONTEXT_LIFECYCLE_EXPECTED: JSON.stringify(expected),
      CONTEXT_LIFECYCLE_SQUIGGLE_SEEN: squiggleSeen,
    },
    print: text => process.stdout.write(text),
    watch: async page => {
      await untilFirstSquiggle(page);
      writeFileSync(squiggleSeen, '');
    },
  });
  const count = Object.values(expected).flat().length;
  const files = Object.keys(expected).length;
  console.log(passed ? `Saw ${count} diagnostics in ${files} files.` : 'The smoke run failed.');
  return passed ? 0 : 1;
}

/** An extension that does nothing: VS Code runs tests only beside an extension in development. */
async function makeProbe(): Promise<string> {
  const folder = makeTemporaryFolder('probe');
  const manifest = { name: 'probe', publisher: product.publisher, version: '0.0.0', engines: { vscode: '*' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await build({
    entryPoints: [join(import.meta.dirname, 'probe.ts')],
    outfile: join(folder, 'probe.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return folder;
}

async function untilFirstSquiggle(page: Page): Promise<void> {
  await page.locator('.squiggly-error, .squiggly-warning').first().waitFor({ timeout: firstSquiggleMilliseconds });
}
