/** `npm run pictures`: the pictures come from a test window, so that code lives there; this only starts it. */
import { spawnSync } from 'node:child_process';
import { inRepository } from './build/paths.ts';

process.exitCode =
  spawnSync(process.execPath, [inRepository('test/ui/readmePictures.ts')], { stdio: 'inherit' }).status ?? 1;
