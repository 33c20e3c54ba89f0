import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/** Called by the extension host: runs every suite beside this file and writes Mocha's counts where the launcher reads them. */
export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'tdd',
    color: false,
    timeout: 60_000,
    forbidOnly: true,
    forbidPending: true,
    ...(process.env['TEST_GREP'] ? { grep: process.env['TEST_GREP'] } : {}),
  });
  // this file is bundled to CommonJS
  for (const file of readdirSync(__dirname)) {
    if (file.endsWith('.test.cjs')) mocha.addFile(join(__dirname, file));
  }
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(failed => {
      const passed = runner.stats?.passes ?? 0;
      const result = process.env['CONTEXT_LIFECYCLE_RESULT'];
      if (result) writeFileSync(result, JSON.stringify({ passed, failed }));
      resolve(failed);
    });
  });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
