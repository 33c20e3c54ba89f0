import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { ensureHost } from '../../test/host/install.ts';
import { filesUnder, inRepository, shortPath } from '../build/paths.ts';
import { lawSeed } from './lawSeed.ts';
import type { StepResult } from './step.ts';

const deadlineMinutes = 15;
/** Folders of test/ whose tests need an editor, a browser or an agent from outside, and one that holds packages of others. */
const notPlain = ['agents', 'inHost', 'ui', 'host'];

/** Every other folder of test/, relative to the repository: their tests run in plain Node, those of a new folder too. */
export function plainFolders(): readonly string[] {
  return readdirSync(inRepository('test'), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !notPlain.includes(entry.name))
    .map(({ name }) => `test/${name}`)
    .sort();
}

/** The `*.test.ts` files below these folders of the repository, with their whole paths. */
export function testFiles(folders: readonly string[]): readonly string[] {
  return folders.flatMap(folder =>
    filesUnder(folder)
      .filter(file => file.endsWith('.test.ts') && !file.split('/').includes('node_modules'))
      .map(file => inRepository(folder, file)),
  );
}

/** Runs the tests of these folders, which read the grammars that VS Code brings along, so it is installed first. */
export async function runPlainTests(folders: readonly string[]): Promise<StepResult> {
  ensureHost();
  return runUnitTests(folders);
}

/** Runs every `*.test.ts` below `folders`, as `runTestFiles` does. */
export async function runUnitTests(
  folders: readonly string[],
  minutes = deadlineMinutes,
  concurrency = 2,
): Promise<StepResult> {
  return runTestFiles(testFiles(folders), minutes, concurrency);
}

/**
 * Runs each file in a process of its own. `concurrency` is how many files run at a time.
 * A file that hangs counts as failed after the deadline. Node cannot end such a process, since its test runner catches the
 * signal in a thread that is busy; whoever calls this must end with `process.exit`, and bootstrap.mjs ends the group.
 * Throws when `LAW_SEED` is no seed.
 */
export async function runTestFiles(
  files: readonly string[],
  minutes = deadlineMinutes,
  concurrency = 2,
): Promise<StepResult> {
  lawSeed(process.env['LAW_SEED']);
  if (files.length === 0) return { passed: 0, failed: 0, output: '' };
  let passed = 0;
  let failed = 0;
  const silent = new Set(files);
  // Not yet in the types of Node 20.
  const setUp = { execArgv: ['--import', pathToFileURL(inRepository('scripts/check/lawSetUp.ts')).href] };
  const events = run({ files: [...files], concurrency, ...setUp });
  events.on('test:pass', ({ details, file }) => {
    if (details.type !== 'suite') passed += 1;
    silent.delete(file ?? '');
  });
  events.on('test:fail', ({ details, file }) => {
    if (details.type !== 'suite') failed += 1;
    silent.delete(file ?? '');
  });
  const pieces: string[] = [];
  const report = events.compose(new spec()) as AsyncIterable<unknown>;
  const finished = collect(report, pieces);
  if (await endsWithin(finished, minutes)) return { passed, failed, output: pieces.join('') };
  const names = [...silent].map(shortPath).join(', ');
  return {
    passed,
    failed: failed + 1,
    output: `${pieces.join('')}No result after ${minutes} minutes from ${names}.\n`,
  };
}

async function collect(stream: AsyncIterable<unknown>, pieces: string[]): Promise<void> {
  for await (const piece of stream) pieces.push(String(piece));
}

/** Whether `work` ends in time. Rejects as `work` does. */
async function endsWithin(work: Promise<void>, minutes: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), minutes * 60_000);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
