// Runs inside the extension host: shows each file of the sample and prints the diagnostics that VS Code has for it.
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { product } from '../../protocol/product.ts';
import type { ExpectedFindings } from './expectedFindings.ts';

const deadlineMilliseconds = 60_000;
const drawnMilliseconds = 120_000;

/** Rejects when a file has other diagnostics than the environment's CONTEXT_LIFECYCLE_EXPECTED says. */
export async function run(): Promise<void> {
  const expected = JSON.parse(process.env['CONTEXT_LIFECYCLE_EXPECTED'] ?? '{}') as ExpectedFindings;
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('VS Code opened no folder.');
  const wrong: string[] = [];
  for (const [file, wanted] of Object.entries(expected)) {
    const uri = vscode.Uri.joinPath(folder.uri, file);
    await vscode.window.showTextDocument(uri, { preview: false });
    await untilDiagnostics(uri, wanted);
    for (const diagnostic of diagnosticsOf(uri)) {
      console.log(`${file}:${diagnostic.range.start.line + 1} ${codeOf(diagnostic)} ${diagnostic.message}`);
    }
    const found = shortForm(uri);
    if (found !== wanted.join()) wrong.push(`${file}: expected ${wanted.join()}; found ${found || 'nothing'}`);
  }
  await untilSquiggleSeen(process.env['CONTEXT_LIFECYCLE_SQUIGGLE_SEEN'] ?? '');
  if (wrong.length > 0) throw new Error(`Editor and command line do not agree.\n${wrong.join('\n')}`);
}

/** Returns when the window has drawn a squiggle, or at the deadline; the window's watcher tells of a failure. */
async function untilSquiggleSeen(file: string): Promise<void> {
  const deadline = Date.now() + drawnMilliseconds;
  while (!existsSync(file) && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50));
}

/** Returns when a document has the wanted diagnostics, or at the deadline. */
function untilDiagnostics(uri: vscode.Uri, wanted: readonly string[]): Promise<void> {
  return new Promise(resolve => {
    const finish = () => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const look = () => {
      if (shortForm(uri) === wanted.join()) finish();
    };
    const timer = setTimeout(finish, deadlineMilliseconds);
    const subscription = vscode.languages.onDidChangeDiagnostics(look);
    look();
  });
}

function diagnosticsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === product.displayName)
    .sort((a, b) => a.range.start.compareTo(b.range.start));
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

function shortForm(uri: vscode.Uri): string {
  return diagnosticsOf(uri)
    .map(diagnostic => `${diagnostic.range.start.line + 1} ${codeOf(diagnostic)}`)
    .join();
}
