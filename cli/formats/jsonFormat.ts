import { countOf, type Report } from '../checkReport.ts';
import { printableJson } from '../printable.ts';

/**
 * For programs: one JSON object. `version` changes when a member changes its meaning or goes away. Lines and columns
 * count from 1, columns in UTF-16 units, ends are exclusive.
 */
export function jsonFormat(report: Report): string {
  const json = {
    version: 1,
    summary: {
      files: report.files,
      repaired: report.repaired,
      errors: countOf(report, 'error'),
      warnings: countOf(report, 'warning'),
      notes: countOf(report, 'note'),
      failures: report.failures.length,
    },
    findings: report.findings,
    failures: report.failures,
  };
  return `${printableJson(json, 2)}\n`;
}
