import { countOf, type Loudness, type Report, type ReportedFinding, type ReportedPlace } from '../checkReport.ts';
import { printable, printablePath } from '../printable.ts';
import { type Style, styleOf } from '../style.ts';
import { amount } from '../words.ts';

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<Loudness, string>;

/** For people: one line a finding, `file:line:column: severity: sentence [code]`, and a summary. */
export function textFormat(report: Report, colour: boolean): string {
  const style = styleOf(colour);
  return `${[...report.findings.flatMap(finding => findingLines(finding, style)), summaryLine(report, style)].join('\n')}\n`;
}

function findingLines(finding: ReportedFinding, style: Style): readonly string[] {
  const { severity, code, message, related } = finding;
  const place = style('bold', placeOf(finding));
  return [
    `${place}: ${style(COLOURS[severity], severity)}: ${printable(message)} ${style('dim', `[${code}]`)}`,
    ...related.map(other => style('dim', `  ${placeOf(other)}: ${printable(other.message)}`)),
  ];
}

function placeOf({ file, line, column }: ReportedPlace): string {
  return `${printablePath(file)}:${line}:${column}`;
}

function summaryLine(report: Report, style: Style): string {
  const checked = `${amount(report.files, 'file')} checked`;
  const repaired = report.repaired > 0 ? `, ${report.repaired} repaired` : '';
  const failures = report.failures.length > 0 ? `, but ${amount(report.failures.length, 'failure')}` : '';
  if (report.findings.length === 0) {
    return style(failures ? 'bold' : 'green', `${checked}${repaired}: no problems found${failures}.`);
  }
  const severities: readonly Loudness[] = ['error', 'warning', 'note'];
  const counts = severities.map(severity => amount(countOf(report, severity), severity)).join(', ');
  const fixable = report.findings.filter(({ fix }) => fix?.mechanical).length;
  const hint = fixable > 0 ? ` ${fixable} of them can be repaired with --fix.` : '';
  return style('bold', `${checked}${repaired}: ${counts}${failures}.${hint}`);
}
