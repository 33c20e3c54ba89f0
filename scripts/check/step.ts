import type { ToolResult } from '../build/tools.ts';

/** One line of the quick loop. */
export interface Step {
  readonly name: string;
  run(): Promise<StepResult>;
}

/** How a step ended; `output` is shown only when something failed. */
export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

/** A step that has ended. */
export interface FinishedStep {
  readonly name: string;
  readonly result: StepResult;
  readonly seconds: number;
}

/** The result of a step that is one tool: it counts as one check. */
export function resultOf({ exitCode, output }: ToolResult): StepResult {
  return exitCode === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/**
 * Runs the steps in order, the cheap ones first, and prints one line for each, with the whole output of those that failed.
 * `summary` makes a text of them all, which stands before the last line: `N passed, N failed`. Returns the exit code.
 */
export async function runSteps(
  steps: readonly Step[],
  summary?: (finished: readonly FinishedStep[]) => string,
): Promise<0 | 1> {
  let passed = 0;
  let failed = 0;
  const finished: FinishedStep[] = [];
  for (const step of steps) {
    const started = performance.now();
    const result = await resultEvenWhenItDies(step);
    passed += result.passed;
    failed += result.failed;
    const seconds = (performance.now() - started) / 1000;
    finished.push({ name: step.name, result, seconds });
    const outcome = result.failed === 0 ? `ok, ${result.passed}` : `FAILED, ${result.failed}`;
    console.log(`${step.name.padEnd(10)} ${seconds.toFixed(1).padStart(5)} s  ${outcome}`);
    if (result.failed > 0) console.log(result.output.trimEnd());
  }
  if (summary) console.log(summary(finished));
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function resultEvenWhenItDies(step: Step): Promise<StepResult> {
  try {
    return await step.run();
  } catch (error) {
    return { passed: 0, failed: 1, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
