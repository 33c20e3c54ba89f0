import {
  type CodeAction,
  type CodeActionContext,
  type CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver';
import type { Finding } from '../check/finding.ts';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { localize } from '../localize.ts';
import { FIX_ALL_KIND } from './codeActions/fixAll.ts';
import type { ActionOffer } from './codeActions/offer.ts';
import { offersFor } from './codeActions/offers.ts';
import { WRAP_KIND } from './codeActions/wrapSelection.ts';
import { fileEdits, workspaceEdit } from './shared/edits.ts';

/** The kinds that the server announces. */
export const CODE_ACTION_KINDS: readonly CodeActionKind[] = ['quickfix', WRAP_KIND, FIX_ALL_KIND];

/** What code actions may hold for this client. */
export interface CodeActionSupport {
  /** Without it the client knows commands only, and gets nothing. */
  readonly codeActions: boolean;
  readonly documentChanges: boolean;
  /** The client asks for the edit of the action that a person chose. */
  readonly resolvesEdits: boolean;
  readonly disabledActions: boolean;
  readonly preferredActions: boolean;
  /** The client's command that lets a person name a new block; undefined when it declares none. */
  readonly renameCommand: string | undefined;
}

/** What an unresolved action carries, so that its edit can be made later. */
export interface CodeActionData {
  readonly uri: string;
  readonly version: number;
  readonly range: Range;
  readonly key: string;
}

/**
 * Repairs for the findings on the lines that the range touches, "Wrap Selection in Block…" for a selection, and the mechanical
 * repairs of the whole document. `findings` must be those of the document's present version: what the client
 * shows may be older, and its positions are never used (editor-bugs 23). Empty when nothing is on offer.
 */
export function codeAction(
  document: OpenDocument,
  { range, context }: CodeActionParams,
  findings: readonly Finding[],
  project: Project,
  support: CodeActionSupport,
): CodeAction[] {
  if (!support.codeActions) {
    return [];
  }
  const wants = (kind: CodeActionKind): boolean => isWanted(kind, context);
  return offersFor({ document, range, findings, project, renameCommand: support.renameCommand, wants })
    .filter(({ disabled }) => !disabled || support.disabledActions)
    .map(offer => actionOf(offer, document, range, context.diagnostics, support));
}

/** Without `only`, repairs of a whole document are no matter for the light bulb that follows the cursor. */
function isWanted(kind: CodeActionKind, { only, triggerKind }: CodeActionContext): boolean {
  if (only) {
    return only.some(wanted => wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`));
  }
  return kind !== FIX_ALL_KIND || triggerKind === CodeActionTriggerKind.Invoked;
}

function actionOf(
  offer: ActionOffer,
  document: OpenDocument,
  range: Range,
  shown: readonly Diagnostic[],
  support: CodeActionSupport,
): CodeAction {
  const diagnostics = shown.filter(diagnostic => offer.findings.some(finding => isOf(diagnostic, finding, document)));
  const data: CodeActionData = { uri: document.uri, version: document.version, range, key: offer.key };
  return {
    title: localize(offer.title),
    kind: offer.kind,
    ...(diagnostics.length > 0 && { diagnostics }),
    ...(offer.preferred && support.preferredActions && { isPreferred: true }),
    ...(offer.disabled
      ? { disabled: { reason: localize(offer.disabled) } }
      : support.resolvesEdits
        ? { data }
        : { edit: workspaceEdit([fileEdits(document, offer.changes())], support.documentChanges) }),
    ...(offer.command && { command: offer.command }),
  };
}

/** Whether what the client shows is this finding, at the place where it stands now. */
function isOf(diagnostic: Diagnostic, finding: Finding, document: OpenDocument): boolean {
  const { start, end } = document.rangeOf(finding.range);
  const shown = diagnostic.range;
  return (
    diagnostic.code === finding.code &&
    shown.start.line === start.line &&
    shown.start.character === start.character &&
    shown.end.line === end.line &&
    shown.end.character === end.character
  );
}
