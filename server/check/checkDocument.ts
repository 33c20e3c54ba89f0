import type { DocumentOutline } from '../../protocol/lifecycle/document.ts';
import type { Problem } from '../../protocol/lifecycle/problem.ts';
import { blockIdConflicts } from './blockIdConflicts.ts';
import type { CheckedDocument } from './checkedDocument.ts';
import { discardsInsideBlocks, unknownBlocks } from './discards.ts';
import { duplicateMarks } from './duplicateMarks.ts';
import type { Finding, UnratedFinding } from './finding.ts';
import { anyPathMatcher } from './globs.ts';
import type { Project } from './project.ts';
import { type Rules, severityOf } from './rules.ts';
import { strippedByHost } from './strippingHost.ts';
import { suppressedCodes } from './suppression.ts';

/**
 * Everything the lint engine says of one document, in document order; findings at the same place keep the parser's
 * order. Files that are no context source get all findings that need no load order. Empty when `exclude` names the
 * file. `noted` are findings that the reader of the file brings along, such as those about its bytes.
 *
 * While the project is not complete, `unknown-block` may be wrong: turn it off in `rules` until then.
 */
export function checkDocument(
  document: CheckedDocument,
  project: Project,
  rules: Rules,
  noted: readonly UnratedFinding[] = [],
): readonly Finding[] {
  const { declarations, problems } = document.outline;
  const silent = declarations.length + problems.length + noted.length === 0;
  if (silent || anyPathMatcher(rules.exclude)(document.path)) {
    return [];
  }
  const findings: readonly UnratedFinding[] = [
    ...noted,
    ...ownProblems(document.outline),
    ...duplicateMarks(document.outline),
    ...blockIdConflicts(document, project, rules),
    ...unknownBlocks(document, project),
    ...discardsInsideBlocks(document),
    ...strippedByHost(document),
  ];
  if (findings.length === 0) {
    return [];
  }
  const suppressed = suppressedCodes(document.outline.text);
  return findings
    .flatMap(finding => {
      const severity = suppressed.includes(finding.code) ? 'off' : severityOf(finding.code, rules);
      return severity === 'off' ? [] : [{ ...finding, severity }];
    })
    .sort((a, b) => a.range.start - b.range.start);
}

function ownProblems({ problems }: DocumentOutline): readonly UnratedFinding[] {
  return problems.map((problem: Problem) => ({
    ...problem,
    related: problem.related.map(place => ({ kind: 'here' as const, ...place })),
  }));
}
