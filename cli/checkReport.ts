import { renderMessage, type TextRange } from '../protocol/lifecycle/text.ts';
import type { Finding, FindingCode, FindingPlace } from '../server/check/finding.ts';
import type { CheckResult } from './checkFiles.ts';
import type { Failure } from './failure.ts';
import { TextPositions } from './textPositions.ts';

export type Loudness = Finding['severity'];

/** A stretch of a file; lines and columns count from 1, columns in UTF-16 units, the end is exclusive. */
export interface Region {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface ReportedPlace extends Region {
  readonly file: string;
  readonly message: string;
}

export interface ReportedChange extends Region {
  readonly newText: string;
}

/** A finding in the words of a report; its texts are not escaped yet. */
export interface ReportedFinding extends ReportedPlace {
  readonly severity: Loudness;
  readonly code: FindingCode;
  readonly reason?: string;
  readonly blockId?: string;
  readonly related: readonly ReportedPlace[];
  readonly fix?: { readonly title: string; readonly mechanical: boolean; readonly changes: readonly ReportedChange[] };
}

/** What every output format is made of. */
export interface Report {
  readonly findings: readonly ReportedFinding[];
  readonly failures: readonly Failure[];
  /** How many files were checked. */
  readonly files: number;
  /** How many files were repaired. */
  readonly repaired: number;
}

export function reportOf(result: CheckResult): Report {
  return {
    findings: result.files.flatMap(({ file, findings }) => {
      const text = new TextPositions(file.outline.text);
      return findings.map(finding => reportedFinding(finding, file.shown, text, result));
    }),
    failures: result.failures,
    files: result.count,
    repaired: result.repaired.length,
  };
}

function reportedFinding(finding: Finding, file: string, text: TextPositions, result: CheckResult): ReportedFinding {
  const { severity, code, reason, blockId, fix } = finding;
  return {
    file,
    ...regionOf(finding.range, text),
    severity,
    code,
    message: renderMessage(finding.message),
    ...(reason && { reason }),
    ...(blockId !== undefined && { blockId }),
    related: finding.related.map(place => reportedPlace(place, file, text, result)),
    ...(fix && {
      fix: {
        title: renderMessage(fix.title),
        mechanical: fix.mechanical,
        changes: fix.changes.map(({ range, newText }) => ({ ...regionOf(range, text), newText })),
      },
    }),
  };
}

function reportedPlace(place: FindingPlace, file: string, text: TextPositions, result: CheckResult): ReportedPlace {
  const message = renderMessage(place.message);
  if (place.kind === 'here') {
    return { file, ...regionOf(place.range, text), message };
  }
  const line = place.line + 1;
  return { file: result.shownPathOf(place.uri), line, column: 1, endLine: line, endColumn: place.length + 1, message };
}

function regionOf({ start, end }: TextRange, text: TextPositions): Region {
  const from = text.at(start);
  const to = text.at(end);
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

/** How many findings there are of one severity. */
export function countOf(report: Report, severity: Loudness): number {
  return report.findings.filter(finding => finding.severity === severity).length;
}
