/** `npm run bench`: the tables are test code, so they live there; this only starts them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const main = path.resolve(import.meta.dirname, '../test/bench/main.ts');
process.exitCode = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
