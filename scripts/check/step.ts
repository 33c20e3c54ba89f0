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

/** The result of a step that is one tool: it counts as one check. */
export function resultOf({ exitCode, output }: ToolResult): StepResult {
  return exitCode === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/**
 * Runs the steps in order, the cheap ones first, and prints one line for each, with the whole output of those that failed.
 * The last line is `N passed, N failed`. Returns the exit code.
 */
export async function runSteps(steps: readonly Step[]): Promise<0 | 1> {
  let passed = 0;
  let failed = 0;
  for (const step of steps) {
    const started = performance.now();
    const result = await resultEvenWhenItDies(step);
    passed += result.passed;
    failed += result.failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const outcome = result.failed === 0 ? `ok, ${result.passed}` : `FAILED, ${result.failed}`;
    console.log(`${step.name.padEnd(10)} ${seconds.padStart(5)} s  ${outcome}`);
    if (result.failed > 0) console.log(result.output.trimEnd());
  }
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
