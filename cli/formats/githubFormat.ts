import type { Loudness, Report } from '../checkReport.ts';
import { githubCommand } from '../githubCommand.ts';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const satisfies Record<Loudness, string>;

/** For GitHub Actions: one workflow command a finding, which GitHub shows at its line in the pull request. */
export function githubFormat(report: Report): string {
  return report.findings
    .map(({ severity, code, file, line, column, endLine, endColumn, message }) => {
      const properties = { file, line, endLine, col: column, endColumn, title: code };
      return `${githubCommand(COMMANDS[severity], properties, message)}\n`;
    })
    .join('');
}
