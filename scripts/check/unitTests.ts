import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { filesUnder, inRepository } from '../build/paths.ts';
import type { StepResult } from './step.ts';

/** Runs every `*.test.ts` below `folders` (relative to the repository), each file in a process of its own. */
export async function runUnitTests(folders: readonly string[]): Promise<StepResult> {
  const files = folders.flatMap(folder =>
    filesUnder(folder)
      .filter(file => file.endsWith('.test.ts'))
      .map(file => inRepository(folder, file)),
  );
  if (files.length === 0) return { passed: 0, failed: 0, output: '' };
  let passed = 0;
  let failed = 0;
  const events = run({ files, concurrency: 2 });
  events.on('test:pass', ({ details }) => {
    if (details.type !== 'suite') passed += 1;
  });
  events.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') failed += 1;
  });
  const pieces: string[] = [];
  for await (const piece of events.compose(new spec())) pieces.push(String(piece));
  return { passed, failed, output: pieces.join('') };
}
