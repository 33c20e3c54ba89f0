import { CodeActionKind, type Range } from 'vscode-languageserver';
import type { TextRange } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';
import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import { lineAround } from '../shared/lines.ts';
import { FIX_ALL_KIND, fixAll } from './fixAll.ts';
import type { ActionOffer } from './offer.ts';
import { quickFixes } from './quickFixes.ts';
import { repeatedDiscard } from './repeatedDiscard.ts';
import { WRAP_KIND, wrapSelection } from './wrapSelection.ts';

/** A selection over a whole document with thousands of findings gets the repairs of the first ones. */
const MAX_FINDINGS = 20;

/** What offers are made from. */
export interface OfferSource {
  readonly document: OpenDocument;
  readonly range: Range;
  /** Of the document's present version. */
  readonly findings: readonly Finding[];
  readonly project: Project;
  readonly renameCommand: string | undefined;
  /** Whether offers of a kind are asked for. */
  wants(kind: CodeActionKind): boolean;
}

/** Every offer of the wanted kinds for the range; each key occurs once. */
export function offersFor(source: OfferSource): readonly ActionOffer[] {
  const { document, findings, project, range, renameCommand } = source;
  const offers: ActionOffer[] = [];
  if (source.wants(CodeActionKind.QuickFix)) {
    const asked = wholeLines(document, range);
    const touched = findings.filter(finding => touches(finding.range, asked)).slice(0, MAX_FINDINGS);
    offers.push(...touched.flatMap(finding => quickFixes(finding, document, project)));
    offers.push(...repeatedDiscard(document, asked).slice(0, MAX_FINDINGS));
  }
  if (source.wants(WRAP_KIND)) {
    offers.push(...optional(wrapSelection(document, range, project, renameCommand)));
  }
  if (source.wants(FIX_ALL_KIND)) {
    offers.push(...optional(fixAll(findings)));
  }
  const seen = new Set<string>();
  return offers.filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** A tag is its whole line, so its repairs are offered wherever on the line the cursor stands. */
function wholeLines(document: OpenDocument, { start, end }: Range): TextRange {
  const text = document.text.getText();
  return {
    start: lineAround(text, document.offsetAt(start)).start,
    end: lineAround(text, document.offsetAt(end)).end,
  };
}

function touches(a: TextRange, b: TextRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function optional(offer: ActionOffer | undefined): readonly ActionOffer[] {
  return offer ? [offer] : [];
}
