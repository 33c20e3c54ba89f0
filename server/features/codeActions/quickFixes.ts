import { CodeActionKind } from 'vscode-languageserver';
import type { Declaration } from '../../../protocol/lifecycle/declaration.ts';
import { STRUCTURAL_CODES } from '../../../protocol/lifecycle/problem.ts';
import type { Message, TextChange } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';
import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { repairs } from '../shared/repair.ts';
import { meantPartner } from './meantPartner.ts';
import type { ActionOffer } from './offer.ts';
import { otherRepairs } from './otherRepairs.ts';
import { type Repair, structuralRepairs } from './structuralRepairs.ts';
import { suppression } from './suppression.ts';
import { improves, textChanges } from './tagEdits.ts';

const structural: ReadonlySet<Finding['code']> = STRUCTURAL_CODES;

/** The repairs of one finding, the likeliest first, then the comment that keeps the finding quiet. */
export function quickFixes(finding: Finding, document: OpenDocument, project: Project): readonly ActionOffer[] {
  return [
    ...ownFix(finding),
    ...partnerFix(finding, document),
    ...tagRepairs(finding, document, project),
    ...makeOrdinary(finding, document),
    suppression(finding, document),
  ];
}

/** The fix that the finding brings along; a near miss without one says why there is none. */
function ownFix(finding: Finding): readonly ActionOffer[] {
  const { fix, code } = finding;
  if (fix) {
    return [offer(finding, 'fix', fix.title, code === 'malformed-tag', () => fix.changes)];
  }
  if (code !== 'malformed-tag') {
    return [];
  }
  const title = { template: 'Change to an exact tag line', values: [] };
  const disabled = { template: 'It is not certain which tag line is meant here.', values: [] };
  return [{ ...offer(finding, 'fix', title, false, () => []), disabled }];
}

/** A block whose other tag line is there but is a near miss needs that line repaired, not a new one. */
function partnerFix(finding: Finding, document: OpenDocument): readonly ActionOffer[] {
  if (finding.code !== 'unclosed-block' && finding.code !== 'unexpected-block-end') {
    return [];
  }
  const tag = tagOf(finding, document);
  const partner = tag && meantPartner(document.outline, tag);
  if (!partner || !repairs(document.outline, partner.fix.changes)) {
    return [];
  }
  const number = String(document.positionAt(partner.range.start).line + 1);
  const title =
    finding.code === 'unclosed-block'
      ? { template: 'Repair the closing line on line {0}', values: [number] }
      : { template: 'Repair the opening line on line {0}', values: [number] };
  return [offer(finding, 'repair-partner', title, true, () => partner.fix.changes)];
}

function tagOf(finding: Finding, { outline }: OpenDocument): Declaration | undefined {
  return outline.declarations.find(({ range }) => range.start === finding.range.start);
}

function tagRepairs(finding: Finding, document: OpenDocument, project: Project): readonly ActionOffer[] {
  const { outline } = document;
  const tag = tagOf(finding, document);
  if (!tag) {
    return [];
  }
  const repairCase = { finding, tag, document, project };
  const found: readonly Repair[] = structural.has(finding.code)
    ? structuralRepairs(repairCase).filter(({ edits }) => improves(outline, edits))
    : otherRepairs(repairCase);
  return found.map(({ name, title, edits, preferred }) =>
    offer(finding, name, title, preferred ?? false, () => textChanges(outline.text, edits)),
  );
}

/** One blank before the line is the smallest change after which no reader takes it for a tag. */
function makeOrdinary(finding: Finding, document: OpenDocument): readonly ActionOffer[] {
  if (finding.code !== 'live-tag-in-code-fence' || finding.fix) {
    return [];
  }
  const { start } = finding.range;
  const changes: readonly TextChange[] = [{ range: { start, end: start }, newText: ' ' }];
  const title = { template: 'Put a blank before this line, so that it is no tag', values: [] };
  return repairs(document.outline, changes) ? [offer(finding, 'indent', title, false, () => changes)] : [];
}

function offer(
  finding: Finding,
  name: string,
  title: Message,
  preferred: boolean,
  changes: () => readonly TextChange[],
): ActionOffer {
  const key = `${name}:${finding.code}:${finding.range.start}`;
  return { key, title, kind: CodeActionKind.QuickFix, findings: [finding], preferred, changes };
}
