import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { NearMissReason } from '../../protocol/lifecycle/problem.ts';
import { product } from '../../protocol/product.ts';
import { type RepeatedDiscard, repeatedDiscards } from '../check/discards.ts';
import type { Finding, FindingCode, FindingPlace } from '../check/finding.ts';
import type { OpenDocument } from '../document.ts';
import { localize } from '../localize.ts';

/** What the client shows of a diagnostic. */
export interface DiagnosticSupport {
  readonly relatedInformation: boolean;
  readonly diagnosticTags: boolean;
  readonly codeDescriptions: boolean;
  readonly diagnosticData: boolean;
}

/** What a diagnostic carries for the quick fix; the client hands it back unchanged. */
export interface DiagnosticData {
  readonly code: FindingCode;
  readonly reason?: NearMissReason;
  readonly blockId?: string;
  /** Ranges in the text of `version`. */
  readonly fix?: {
    readonly title: string;
    readonly changes: readonly { readonly range: Diagnostic['range']; readonly newText: string }[];
    readonly mechanical: boolean;
  };
  readonly version: number;
}

/** The same for all of ours, so that people can tell whose they are. */
const SOURCE = product.displayName;

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

/** As many as VS Code shows of one file. More would cost a client seconds, and a person reads none of them. */
const MAX_DIAGNOSTICS = 1000;

/**
 * The findings of a document as LSP diagnostics, and a faded hint on each discard that repeats an earlier one. At most
 * `MAX_DIAGNOSTICS`, the first ones, the last of which says so.
 */
export function diagnostics(
  document: OpenDocument,
  findings: readonly Finding[],
  support: DiagnosticSupport,
): Diagnostic[] {
  if (findings.length > MAX_DIAGNOSTICS) {
    const shown = findings.slice(0, MAX_DIAGNOSTICS - 1);
    return [
      ...shown.map(finding => diagnosticOf(document, finding, support)),
      leftOut(document, findings, shown.length),
    ];
  }
  const shown = findings.map(finding => diagnosticOf(document, finding, support));
  const hints = support.diagnosticTags ? repeatedDiscards(document.outline.declarations) : [];
  const room = MAX_DIAGNOSTICS - shown.length;
  return [...shown, ...hints.slice(0, room).map(hint => repeatedDiscardHint(document, hint, support))];
}

/** At the first finding that is not shown. */
function leftOut(document: OpenDocument, findings: readonly Finding[], shown: number): Diagnostic {
  const { start = 0 } = findings[shown]?.range ?? {};
  const values = [String(findings.length - shown)];
  return {
    range: document.rangeOf({ start, end: start }),
    severity: DiagnosticSeverity.Information,
    source: SOURCE,
    message: localize({
      template: 'From here on, {0} more problems are not shown. Repair some of those above first.',
      values,
    }),
  };
}

function diagnosticOf(document: OpenDocument, finding: Finding, support: DiagnosticSupport): Diagnostic {
  const { code, related } = finding;
  return {
    range: document.rangeOf(finding.range),
    severity: SEVERITIES[finding.severity],
    source: SOURCE,
    code,
    message: localize(finding.message),
    ...(support.codeDescriptions && { codeDescription: { href: `${product.diagnosticDocs}#${code}` } }),
    ...(support.relatedInformation &&
      related.length > 0 && { relatedInformation: related.map(place => relatedOf(document, place)) }),
    ...(support.diagnosticData && { data: dataOf(document, finding) }),
  };
}

function relatedOf(document: OpenDocument, place: FindingPlace) {
  const message = localize(place.message);
  if (place.kind === 'here') {
    return { location: { uri: document.uri, range: document.rangeOf(place.range) }, message };
  }
  const { uri, line, length } = place;
  return { location: { uri, range: { start: { line, character: 0 }, end: { line, character: length } } }, message };
}

function dataOf(document: OpenDocument, { code, reason, blockId, fix }: Finding): DiagnosticData {
  return {
    code,
    ...(reason !== undefined && { reason }),
    ...(blockId !== undefined && { blockId }),
    ...(fix && {
      fix: {
        title: localize(fix.title),
        changes: fix.changes.map(({ range, newText }) => ({ range: document.rangeOf(range), newText })),
        mechanical: fix.mechanical,
      },
    }),
    version: document.version,
  };
}

function repeatedDiscardHint(
  document: OpenDocument,
  { declaration, first }: RepeatedDiscard,
  support: DiagnosticSupport,
): Diagnostic {
  return {
    range: document.rangeOf(declaration.range),
    severity: DiagnosticSeverity.Hint,
    source: SOURCE,
    message: localize({ template: "Block '{0}' is discarded further up already.", values: [declaration.id] }),
    tags: [DiagnosticTag.Unnecessary],
    ...(support.relatedInformation && {
      relatedInformation: [
        {
          location: { uri: document.uri, range: document.rangeOf(first.range) },
          message: localize({ template: "'{0}' is discarded here first.", values: [first.id] }),
        },
      ],
    }),
  };
}
