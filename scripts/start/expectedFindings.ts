import { inRepository } from '../build/paths.ts';
import { runNode } from '../build/tools.ts';

/** For each file, the findings that the editor must show, each as `line code`, in the order of their lines. */
export type ExpectedFindings = Readonly<Record<string, readonly string[]>>;

/**
 * What the built command line finds in a folder, but for what only a file's bytes show: editor and command line must agree.
 * @throws {Error} when the command line fails or finds nothing
 */
export async function expectedFindings(folder: string): Promise<ExpectedFindings> {
  const { output } = await runNode([inRepository('dist/cli.js'), 'check', '--format', 'json'], folder);
  const expected: Record<string, string[]> = {};
  for (const { file, line, code, severity } of readReport(output).findings) {
    if (severity !== 'note') (expected[file] ??= []).push(`${line} ${code}`);
  }
  if (Object.keys(expected).length === 0) throw new Error(`The command line found nothing in the sample:\n${output}`);
  return expected;
}

interface Report {
  readonly findings: readonly {
    readonly file: string;
    readonly line: number;
    readonly code: string;
    readonly severity: string;
  }[];
}

function readReport(output: string): Report {
  try {
    return JSON.parse(output) as Report;
  } catch {
    throw new Error(`The command line gave no report on the sample:\n${output}`);
  }
}
