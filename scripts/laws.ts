import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ensureHost } from '../test/host/install.ts';
import { lawRuns, lawSeed } from './check/lawSeed.ts';
import { runSteps, type Step } from './check/step.ts';
import { plainFolders, runTestFiles, testFiles } from './check/unitTests.ts';

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

/** Runs the files with laws again and again, each time from another seed; parts of paths run only those files. */
async function main(parts: readonly string[]): Promise<number> {
  const files = testFiles(plainFolders()).filter(
    file =>
      readFileSync(file, 'utf8').includes("from 'fast-check'") &&
      (parts.length === 0 || parts.some(part => file.includes(part))),
  );
  if (files.length === 0) {
    throw new Error(`No file with laws has ${parts.join(' or ')} in its path.`);
  }
  ensureHost();
  const runs = lawRuns(process.env['LAW_RUNS']);
  const first = lawSeed(process.env['LAW_SEED'] ?? 'random') ?? randomInt(2 ** 30);
  return runSteps(
    Array.from({ length: runs }, (_, run): Step => {
      const seed = String(first + run);
      return {
        name: seed,
        run: () => {
          process.env['LAW_SEED'] = seed;
          return runTestFiles(files);
        },
      };
    }),
  );
}
