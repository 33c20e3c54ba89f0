/** `npm run pictures`: the pictures come from test windows, so that code lives there; this only starts it. */
import { spawnSync } from 'node:child_process';
import { inRepository } from './build/paths.ts';
import { install, isInstalled } from './packages.mjs';

const agents = inRepository('test/agents');
if (!isInstalled(agents)) {
  install(agents, 'Installing the agents, some of which are shown at work …');
}
const files = [
  'test/ui/readmePictures.ts',
  'test/agents/pi/readmePictures.ts',
  'test/agents/gateway/readmePictures.ts',
];
for (const file of files) {
  const { status } = spawnSync(process.execPath, [inRepository(file)], { stdio: 'inherit' });
  process.exitCode ||= status ?? 1;
}
