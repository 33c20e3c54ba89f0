import { parseArgs } from 'node:util';
import { makeTemporaryFolder } from '../test/host/profile.ts';
import { packAll } from './package.ts';
import { startDemoSession } from './start/demoSession.ts';
import { findDesktop, openDesktop } from './start/desktop.ts';
import { openHosted } from './start/hosted.ts';
import { copySample } from './start/sample.ts';
import { smoke } from './start/smoke.ts';

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { smoke: { type: 'boolean', default: false } } });
  console.log('Building the extension …');
  const { vsix } = await packAll(makeTemporaryFolder('package'));
  const sample = copySample();
  const demo = startDemoSession(sample);
  if (values.smoke) return smoke(vsix, sample, demo);
  console.log(`You edit a copy of sample/ (${sample}); it is removed when you stop.`);
  console.log('A demo session runs beside it. To look into it from another terminal:');
  console.log(`  CONTEXT_LIFECYCLE_HOME=${demo.home} node dist/cli.js sessions`);
  const desktop = findDesktop();
  return desktop ? openDesktop(desktop, sample) : openHosted(vsix, sample);
}
