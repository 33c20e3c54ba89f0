import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancellationTokenSource, type ResponseError } from 'vscode-jsonrpc/node';
import {
  FileChangeType,
  LSPErrorCodes,
  type Registration,
  type WorkspaceDiagnosticReport,
  type WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver-protocol';
import { inTime } from './deadline.ts';
import { LspProcess } from './lspProcess.ts';
import { block, discard, WorkspaceFolder } from './workspaceFolder.ts';

const BROKEN = '<!--/BLOCK_ID:a-->\n';
const ON = { check: { workspace: true } };

/** What the client knows so far, as it sends it with the next question. */
class Known {
  readonly ids = new Map<string, string>();
  readonly counts = new Map<string, number>();

  async ask(server: LspProcess): Promise<readonly WorkspaceFullDocumentDiagnosticReport[]> {
    const previousResultIds = [...this.ids].map(([uri, value]) => ({ uri, value }));
    const { items } = await server.request<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds });
    const full = items.filter(item => item.kind === 'full');
    for (const { uri, resultId, items } of full) {
      this.counts.set(uri, items.length);
      if (resultId === undefined) {
        this.ids.delete(uri);
      } else {
        this.ids.set(uri, resultId);
      }
    }
    return full;
  }
}

const reported = (reports: readonly WorkspaceFullDocumentDiagnosticReport[]) =>
  Object.fromEntries(reports.map(({ uri, items }) => [uri, items.map(({ code }) => code)]));

const diagnosticRegistrations = (server: LspProcess) =>
  [...server.registrations.values()].filter(({ method }) => method === 'textDocument/diagnostic');

async function offered(server: LspProcess, workspaceDiagnostics: boolean): Promise<void> {
  await server.requested<{ registrations: Registration[] }>('client/registerCapability', ({ registrations }) =>
    registrations.some(
      ({ registerOptions }) =>
        (registerOptions as { workspaceDiagnostics?: boolean } | undefined)?.workspaceDiagnostics ===
        workspaceDiagnostics,
    ),
  );
}

test('files that are not open are reported when the setting asks for it, and not again while nothing changes', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': BROKEN, 'fine/AGENTS.md': block('a'), 'README.md': BROKEN });
  await using server = await LspProcess.start({ folders: [folder.uri], settings: ON });
  const known = new Known();
  assert.deepEqual(reported(await known.ask(server)), {
    [folder.uriOf('AGENTS.md')]: ['unexpected-block-end'],
    [folder.uriOf('fine/AGENTS.md')]: [],
  });
  // The next question is answered when there is something new, with that alone.
  const next = known.ask(server);
  const uri = folder.write('fine/AGENTS.md', `${block('a')}${BROKEN}`);
  await server.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: FileChangeType.Changed }] });
  assert.deepEqual(reported(await next), { [uri]: ['unexpected-block-end'] });
});

test('editor-bugs 15: a file that is deleted outside the editor is cleared', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': BROKEN });
  await using server = await LspProcess.start({ folders: [folder.uri], settings: ON });
  const known = new Known();
  await known.ask(server);
  const next = known.ask(server);
  const uri = folder.remove('AGENTS.md');
  await server.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: FileChangeType.Deleted }] });
  assert.deepEqual(reported(await next), { [uri]: [] });
  assert.equal(known.ids.size, 0);
});

test('editor-bugs 16: a closed document is reported as the file is, or cleared where no source covers it', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': BROKEN, 'README.md': BROKEN, 'other/AGENTS.md': block('a') });
  await using server = await LspProcess.start({ folders: [folder.uri], settings: ON });
  const [agents, readme] = [folder.uriOf('AGENTS.md'), folder.uriOf('README.md')];
  await server.open(agents, `${BROKEN}${BROKEN}`);
  await server.open(readme, BROKEN);
  const known = new Known();
  // What is open is the client's to ask for.
  assert.deepEqual(Object.keys(reported(await known.ask(server))), [folder.uriOf('other/AGENTS.md')]);
  for (const [uri, expected] of [
    [agents, ['unexpected-block-end']],
    [readme, []],
  ] as const) {
    const next = known.ask(server);
    await server.close(uri);
    assert.deepEqual(reported(await next), { [uri]: expected });
  }
});

test('what one file says of another is reported when either changes', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a'), 'x.prompt.md': discard('a') });
  await using server = await LspProcess.start({ folders: [folder.uri], settings: ON });
  const known = new Known();
  await known.ask(server);
  await server.open(folder.uriOf('AGENTS.md'), block('a'));
  const next = known.ask(server);
  await server.change(folder.uriOf('AGENTS.md'), block('renamed'));
  assert.deepEqual(reported(await next)[folder.uriOf('x.prompt.md')], ['unknown-block']);
});

test('a question that is given up ends as cancelled', async () => {
  using folder = new WorkspaceFolder();
  await using server = await LspProcess.start({ folders: [folder.uri], settings: ON });
  const source = new CancellationTokenSource();
  const asked = server.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] }, source.token);
  source.cancel();
  await assert.rejects(inTime(asked, 'The end of the request'), (error: unknown) => {
    assert.equal((error as ResponseError).code, LSPErrorCodes.ServerCancelled);
    return true;
  });
});

test('a client is told that files are covered only while the setting says so', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': BROKEN });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  await offered(server, false);
  assert.equal(server.initializeResult.capabilities.diagnosticProvider, undefined);
  server.settings = ON;
  await server.notify('workspace/didChangeConfiguration', { settings: null });
  await offered(server, true);
  await server.until(() => diagnosticRegistrations(server).length === 1, 'The end of the older registration');
  assert.equal(Object.keys(reported(await new Known().ask(server))).length, 1);
});

test('a client that cannot be told later learns it from its own first settings', async () => {
  const capabilities = { textDocument: { diagnostic: {} } };
  for (const workspace of [true, false]) {
    const initializationOptions = { contextLifecycle: { check: { workspace } } };
    await using server = await LspProcess.start({ capabilities, initializationOptions });
    assert.deepEqual(server.initializeResult.capabilities.diagnosticProvider, {
      identifier: 'context-lifecycle',
      interFileDependencies: true,
      workspaceDiagnostics: workspace,
    });
  }
});
