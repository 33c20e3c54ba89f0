import { readFileSync, rmSync } from 'node:fs';
import { inRepository } from '../build/paths.ts';
import { runNode } from '../build/tools.ts';
import type { StepResult } from '../check/step.ts';

/** Runs the suites of test/inHost in a VS Code; counts are Mocha's own. A run without counts is one failure. */
export async function runInHostTests(): Promise<StepResult> {
  const resultFile = inRepository('.cache/inHost/result.json');
  rmSync(resultFile, { force: true });
  const { exitCode, output } = await runNode(['test/inHost/launch.ts']);
  const { passed, failed } = readCounts(resultFile);
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1), output };
}

function readCounts(file: string): { readonly passed: number; readonly failed: number } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { passed: number; failed: number };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
