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
const firstRowMilliseconds = 60_000;
/** A block that the demo loads first, and that only a session shows with a request. */
const sessionRow = /house-rules.*since request/s;

/**
 * Opens the sample without a window, waits for the demo session, for the first squiggle and for the session's rows in the sidebar, and
 * prints what it saw: the session, every diagnostic that VS Code shows, and the rows. Returns 0 when the session is live and the
 * diagnostics are the command line's findings, else 1; throws when no row comes.
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
  let rows: readonly string[] = [];
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
      rows = await sidebarRows(page);
      writeFileSync(squiggleSeen, '');
    },
  });
  console.log(`Saw ${rows.length} rows in the sidebar:`);
  for (const row of rows) {
    console.log(`  ${row}`);
  }
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

/** What the sidebar shows of the demo session, a row a line, once one of its blocks is there. */
async function sidebarRows(page: Page): Promise<readonly string[]> {
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Context Lifecycle/ })
    .click();
  const rows = page.locator('.part.sidebar').getByRole('treeitem');
  await rows.filter({ hasText: sessionRow }).first().waitFor({ timeout: firstRowMilliseconds });
  const parts = await Promise.all(
    (await rows.all()).map(row => row.locator('.label-name, .label-description').allInnerTexts()),
  );
  return parts.map(texts => texts.join(' · '));
}
