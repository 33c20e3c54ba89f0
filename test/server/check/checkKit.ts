import { outlineDocument } from '../../../protocol/lifecycle/document.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { buildProject } from '../../../server/check/buildProject.ts';
import { checkDocument } from '../../../server/check/checkDocument.ts';
import type { Finding } from '../../../server/check/finding.ts';
import { combineRules, type Rules } from '../../../server/check/rules.ts';
import { summarize } from '../../../server/check/summarize.ts';

export function uriOf(path: string): string {
  return `file:///project/${path}`;
}

/** Files by path, each as its lines. */
export type Files = Readonly<Record<string, readonly string[]>>;

export function projectOf(files: Files, rules: Rules = combineRules()) {
  const summaries = Object.entries(files).map(([path, lines]) =>
    summarize(uriOf(path), path, outlineDocument(lines.join('\n')), 0),
  );
  return buildProject(summaries, rules);
}

/** The findings of one of the files in the project that they make together. */
export function findingsIn(path: string, files: Files, part: Partial<Rules> = {}): readonly Finding[] {
  const rules = combineRules(part);
  const outline = outlineDocument((files[path] ?? []).join('\n'));
  return checkDocument({ uri: uriOf(path), path, outline }, projectOf(files, rules), rules);
}

/** Line (from 1), code and severity of each finding. */
export function shortForm(findings: readonly Finding[], lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  return findings.map(
    ({ range, code, severity }) => `${text.slice(0, range.start).split('\n').length} ${code} ${severity}`,
  );
}

export function messageOf(finding: Finding | undefined): string {
  return finding ? renderMessage(finding.message) : '';
}
