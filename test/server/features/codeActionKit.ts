import assert from 'node:assert/strict';
import type { CodeAction, CodeActionContext, Diagnostic } from 'vscode-languageserver';
import type { Finding } from '../../../server/check/finding.ts';
import type { Project } from '../../../server/check/project.ts';
import type { OpenDocument } from '../../../server/document.ts';
import { type CodeActionSupport, codeAction } from '../../../server/features/codeAction.ts';
import { edited, editsOf, findingsOf, type Opened, type Options, open, projectOf } from './fixture.ts';

export const SUPPORT: CodeActionSupport = {
  codeActions: true,
  documentChanges: true,
  resolvesEdits: false,
  disabledActions: true,
  preferredActions: true,
  renameCommand: undefined,
};

export interface Asked extends Options {
  readonly inProject?: Project;
  readonly findings?: readonly Finding[];
  readonly context?: Partial<CodeActionContext>;
  readonly support?: Partial<CodeActionSupport>;
}

/** What is offered at the marks of a document. */
export function actionsAt(opened: Opened, asked: Asked = {}): readonly CodeAction[] {
  const { document, range } = opened;
  const inProject = asked.inProject ?? projectOf(opened, asked.path);
  const findings = asked.findings ?? findingsOf(document, inProject, asked.path);
  const context = { diagnostics: [], ...asked.context };
  const params = { textDocument: { uri: document.uri }, range, context };
  return codeAction(document, params, findings, inProject, { ...SUPPORT, ...asked.support });
}

export function actions(lines: readonly string[], asked: Asked = {}): readonly CodeAction[] {
  return actionsAt(open(lines, asked), asked);
}

/** Titles of what can be chosen, without the comment that turns a code off; `*` marks a preferred one. */
export function titles(lines: readonly string[], asked: Asked = {}): readonly string[] {
  return actions(lines, asked)
    .filter(({ title, disabled }) => !disabled && !title.startsWith("Turn '"))
    .map(({ title, isPreferred }) => (isPreferred ? `*${title}` : title));
}

/** The document after the action with this title. */
export function after(lines: readonly string[], title: string, asked: Asked = {}): readonly string[] {
  const opened = open(lines, asked);
  const action = actionsAt(opened, asked).find(one => one.title === title);
  assert.ok(action, `no action: ${title}`);
  return edited(opened.document, editsOf(action.edit, opened.document.uri), asked.lineEnd);
}

/** A near miss with a fix, as the parser reports one: `text` stands in the document, `replacement` is meant. */
export function nearMiss(document: OpenDocument, text: string, replacement: string, mechanical: boolean): Finding {
  const start = document.text.getText().indexOf(text);
  assert.ok(start >= 0);
  const range = { start, end: start + text.length };
  const message = { template: 'No tag.', values: [] };
  const title = { template: "Change to '{0}'", values: [replacement] };
  const fix = { title, mechanical, changes: [{ range, newText: replacement }] };
  return { code: 'malformed-tag', severity: 'warning', range, message, related: [], fix };
}

/** A finding as the client shows it. */
export function shown(document: OpenDocument, finding: Finding): Diagnostic {
  return { range: document.rangeOf(finding.range), message: 'shown', code: finding.code };
}
