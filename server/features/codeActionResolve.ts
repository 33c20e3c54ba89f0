import { type CodeAction, LSPErrorCodes, Range, ResponseError } from 'vscode-languageserver';
import type { Finding } from '../check/finding.ts';
import type { Project } from '../check/project.ts';
import type { OpenDocument } from '../document.ts';
import { localize } from '../localize.ts';
import type { CodeActionData, CodeActionSupport } from './codeAction.ts';
import { offersFor } from './codeActions/offers.ts';
import { fileEdits, workspaceEdit } from './shared/edits.ts';

/** The document that an unresolved action is about; undefined when the action is none of ours. */
export function codeActionUri(action: CodeAction): string | undefined {
  return dataOf(action)?.uri;
}

/**
 * The action with its edit, computed now from the document's present findings. Throws a `ResponseError` that the user
 * reads when the document has changed since the action was offered, is closed, or no longer has the problem: an old
 * position is never used (editor-bugs 23). An action that is none of ours comes back as it is.
 */
export function codeActionResolve(
  action: CodeAction,
  document: OpenDocument | undefined,
  findings: readonly Finding[],
  project: Project,
  support: Pick<CodeActionSupport, 'documentChanges'>,
): CodeAction {
  const data = dataOf(action);
  if (!data) {
    return action;
  }
  const offer =
    document?.version === data.version
      ? offersFor({
          document,
          range: data.range,
          findings,
          project,
          renameCommand: undefined,
          wants: kind => kind === action.kind,
        }).find(({ key, disabled }) => key === data.key && !disabled)
      : undefined;
  if (!document || !offer) {
    const template = 'Nothing was changed: the document is not what it was when this was offered. Ask again.';
    throw new ResponseError(LSPErrorCodes.ContentModified, localize({ template, values: [] }));
  }
  return { ...action, edit: workspaceEdit([fileEdits(document, offer.changes())], support.documentChanges) };
}

function dataOf(action: CodeAction): CodeActionData | undefined {
  const data: unknown = action.data;
  return isData(data) ? data : undefined;
}

/** What comes back from the client is checked before it is believed. */
function isData(data: unknown): data is CodeActionData {
  return (
    typeof data === 'object' &&
    data !== null &&
    'uri' in data &&
    typeof data.uri === 'string' &&
    'version' in data &&
    typeof data.version === 'number' &&
    'key' in data &&
    typeof data.key === 'string' &&
    'range' in data &&
    Range.is(data.range)
  );
}
