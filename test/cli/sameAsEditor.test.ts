import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { LspProcess } from '../server/lspProcess.ts';
import { block, folderOf, run } from './cliKit.ts';

const SEVERITIES = ['', 'error', 'warning', 'note'];

/** An editor's text hides them, so it would forget them as soon as the file is opened. */
const COMMAND_LINE_ONLY: readonly unknown[] = ['invalid-utf8', 'mixed-line-ends', 'lone-cr'];

/** One line a finding, as the editor's Problems panel lists the context sources of a folder. */
async function inEditor(cwd: string): Promise<readonly string[]> {
  const folder = pathToFileURL(cwd).href;
  await using server = await LspProcess.start({ folders: [folder], settings: { check: { workspace: true } } });
  const { items } = await server.request<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
  return items.flatMap(report => {
    const path = decodeURIComponent(report.uri.slice(folder.length + 1));
    const diagnostics = report.kind === 'full' ? report.items : [];
    return diagnostics.map(({ range: { start, end }, severity, code, message }) => {
      const place = `${path}:${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`;
      const sentence = typeof message === 'string' ? message : message.value;
      return `${place} ${SEVERITIES[severity ?? 0]} ${code} ${sentence}`;
    });
  });
}

async function onCommandLine(cwd: string, files: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(['check', '--format', 'json', ...files], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: Readonly<Record<string, string | number>>[] };
  const shared = findings.filter(({ code }) => !COMMAND_LINE_ONLY.includes(code));
  assert.ok(shared.length < findings.length, stdout);
  return shared.map(
    ({ file, line, column, endLine, endColumn, severity, code, message }) =>
      `${file}:${line}:${column}-${endLine}:${endColumn} ${severity} ${code} ${message}`,
  );
}

test('the command line says of every context source what the editor says', async t => {
  const files = {
    'AGENTS.md': `${block('a')}${block('b')}<!--DISCARD_BLOCK:linked-->\n<!--DISCARD_BLOCK:gone-->\n<!--DISCARD_BLOCK:hidden-->\n`,
    'CLAUDE.md': `😀 <!--ephemeral-->\n<!--/BLOCK_ID:x-->\n${block('a')}${block('broken')}${block('broken')}`,
    'packages/one/AGENTS.md': `${block('b')}<!--DISCARD_BLOCK:broken-->\n \t<!--ephemeral-->\n`,
    'z.context.md': `\ufeff${block('a', '<!--DISCARD_BLOCK:a-->\n')}mixed\r\nends\r`,
    'quiet.context.md':
      '<!-- context-lifecycle-disable unknown-block -->\n<!--DISCARD_BLOCK:nowhere-->\n<!--block_id:x-->\n',
    'fence.context.md': '```md\n<!--BLOCK_ID:in-code-->\n```\n',
    'teach/AGENTS.md': block('hidden'),
    'latin.context.md': Buffer.from('\xe9 <!--ephemeral-->\n', 'latin1'),
    'utf16.context.md': Buffer.from(`\ufeff${block('b')}`, 'utf16le'),
    'node_modules/p/AGENTS.md': block('gone'),
    'docs/base.md': `${block('linked')}${block('a')}`,
  };
  const cwd = folderOf(t, {
    ...files,
    '.context-lifecycle.json': JSON.stringify({
      sources: ['packages/**', '**/*.context.md', '**/AGENTS.md', '**/CLAUDE.md', '**/GEMINI.md'],
      exclude: ['teach/**'],
      severities: { 'unexpected-block-end': 'note', 'malformed-tag': 'error', 'lone-cr': 'off' },
    }),
  });
  symlinkSync('docs/base.md', join(cwd, 'GEMINI.md'));
  symlinkSync('AGENTS.md', join(cwd, 'again.context.md'));
  symlinkSync('..', join(cwd, 'docs/up'));
  const sources = [...Object.keys(files), 'GEMINI.md'].filter(name => !/^(docs|node_modules)/.test(name));
  const [editor, commandLine] = [await inEditor(cwd), await onCommandLine(cwd, sources)];
  assert.ok(editor.length > 15, editor.join('\n'));
  assert.deepEqual([...commandLine].sort(), [...editor].sort());
});
