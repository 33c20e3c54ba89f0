import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { product } from '../../protocol/product.ts';

const deadlineMilliseconds = 20_000;
/** How often to look where VS Code sends no event. */
const pollMilliseconds = 50;

export const extensionId = `${product.publisher}.${product.name}`;

/** The URI of a file in the workspace's first folder. */
export function inWorkspace(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the tests run with a folder open');
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Writes a new file and shows it; returns its document. */
export async function showNewFile(path: string, text: string): Promise<vscode.TextDocument> {
  const uri = inWorkspace(path);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  return showFile(path);
}

/** Shows a file of the workspace; returns its document. */
export async function showFile(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(path));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Replaces the whole text of a document. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const everything = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, everything, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** The codes of our diagnostics on a document, in the order of their lines. */
export function codesOf(uri: vscode.Uri): readonly string[] {
  return ownDiagnostics(uri).map(codeOf);
}

/** Our diagnostics on a document, in the order of their lines. */
export function ownDiagnostics(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(diagnostic => diagnostic.source === product.displayName)
    .sort((a, b) => a.range.start.compareTo(b.range.start));
}

function codeOf(diagnostic: vscode.Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === 'object' ? code.value : code);
}

/** Waits until a document has exactly these codes; the failure shows what it had last. */
export async function untilCodes(uri: vscode.Uri, expected: readonly string[]): Promise<void> {
  const matches = () => codesOf(uri).join() === expected.join();
  const waiting = new Promise<boolean>(resolve => {
    const timer = setTimeout(finish, deadlineMilliseconds, false);
    const subscription = vscode.languages.onDidChangeDiagnostics(() => matches() && finish(true));
    function finish(reached: boolean): void {
      clearTimeout(timer);
      subscription.dispose();
      resolve(reached);
    }
    if (matches()) finish(true);
  });
  if (!(await waiting)) assert.deepEqual(codesOf(uri), expected);
}

/** Waits until a probe gives something other than undefined; for states that send no event. */
export async function until<T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = Date.now() + deadlineMilliseconds;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${deadlineMilliseconds} ms in vain until ${what}.`);
    await new Promise(resolve => setTimeout(resolve, pollMilliseconds));
  }
}
