import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseError } from 'vscode-jsonrpc/node';
import { type Diagnostic, FileChangeType, type ServerCapabilities } from 'vscode-languageserver-protocol';
import {
  DECLARED_BLOCKS_REQUEST,
  type DeclaredBlocks,
  SERVER_NOTE,
  type ServerNoteParams,
} from '../../protocol/lifecycle/editorRequests.ts';
import { readSettings, sectionOf } from '../../server/settings.ts';
import { LspProcess } from './lspProcess.ts';
import { block, discard, WorkspaceFolder } from './workspaceFolder.ts';

const codes = (items: readonly Diagnostic[]) => items.map(({ code }) => code);
const severities = (items: readonly Diagnostic[]) => items.map(({ severity }) => severity);
const NEAR_MISS = '<!--EPHEMERAL-->\n';

async function afterRefresh(server: LspProcess, act: () => Promise<void>): Promise<void> {
  const from = server.requests.length;
  await act();
  await server.requested('workspace/diagnostic/refresh', () => true, from);
}

test('what is absent, null or senseless in the settings is not set', () => {
  for (const section of [
    undefined,
    null,
    7,
    'text',
    [],
    {},
    { check: null, index: 'x' },
    { check: { workspace: 'yes' } },
  ]) {
    const { rules, workspaceDiagnostics, maxFiles } = readSettings(section);
    assert.deepEqual(
      { rules, workspaceDiagnostics, maxFiles },
      { rules: {}, workspaceDiagnostics: false, maxFiles: 10_000 },
    );
  }
  const { rules, problems } = readSettings({
    sources: ['**/X.md', 3, '/abs'],
    check: { severities: { typo: 'error' } },
  });
  assert.deepEqual(rules.sources, ['**/X.md']);
  assert.equal(problems.length, 3);
  assert.deepEqual(readSettings({ check: { exclude: [] } }).rules.exclude, []);
});

test('the section is found inside an object of all sections and by itself', () => {
  assert.deepEqual(sectionOf({ contextLifecycle: { sources: ['a'] }, other: 1 }), { sources: ['a'] });
  assert.deepEqual(sectionOf({ sources: ['a'] }), { sources: ['a'] });
  assert.equal(sectionOf(null), null);
});

test('editor-bugs 59: changed settings hold at once, without a restart', async () => {
  await using server = await LspProcess.start();
  const uri = 'untitled:a.md';
  await server.open(uri, NEAR_MISS);
  assert.deepEqual(severities((await server.pull(uri)).items), [2]);
  for (const [severity, shown] of [
    ['error', [1]],
    ['note', [3]],
    ['off', []],
  ] as const) {
    server.settings = { check: { severities: { 'malformed-tag': severity } } };
    await afterRefresh(server, () => server.notify('workspace/didChangeConfiguration', { settings: null }));
    assert.deepEqual(severities((await server.pull(uri)).items), shown);
  }
});

test('editor-bugs 59: the globs of the context sources change what is found', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a'), 'rules/house.md': block('b') });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  const uri = folder.uriOf('x.md');
  await server.open(uri, `${discard('a')}${discard('b')}`);
  server.settings = { sources: ['rules/*.md'] };
  await afterRefresh(server, () => server.notify('workspace/didChangeConfiguration', { settings: null }));
  const blocks = await server.request<DeclaredBlocks>(DECLARED_BLOCKS_REQUEST, undefined);
  assert.deepEqual(
    blocks.folders[0]!.sources.map(({ path }) => path),
    ['rules/house.md'],
  );
  assert.deepEqual(
    (await server.pull(uri)).items.map(({ range }) => range.start.line),
    [0],
  );
});

test('each folder has its own settings', async () => {
  using loud = new WorkspaceFolder();
  using quiet = new WorkspaceFolder();
  await using server = await LspProcess.start({
    folders: [loud.uri, quiet.uri],
    settings: (scope: string) => (scope === quiet.uri ? { check: { severities: { 'malformed-tag': 'off' } } } : null),
  });
  for (const folder of [loud, quiet]) {
    await server.open(folder.uriOf('a.md'), NEAR_MISS);
  }
  assert.deepEqual(codes((await server.pull(loud.uriOf('a.md'))).items), ['malformed-tag']);
  assert.deepEqual(codes((await server.pull(quiet.uriOf('a.md'))).items), []);
});

for (const [name, options, handler] of [
  ['answers with an error', {}, () => new ResponseError(-32601, 'Method not found')],
  ['answers null', {}, () => null],
  ['answers with less than was asked for', {}, () => []],
  ['cannot be asked', { profile: 'minimal' }, undefined],
] as const) {
  test(`editor-bugs 53: a client that ${name} gets the defaults`, async () => {
    await using server = await LspProcess.start(options);
    if (handler) {
      server.handle('workspace/configuration', handler);
    }
    await server.notify('workspace/didChangeConfiguration', { settings: null });
    await server.open('untitled:a.md', NEAR_MISS);
    const items = handler
      ? (await server.pull('untitled:a.md')).items
      : (await server.published('untitled:a.md', () => true)).diagnostics;
    assert.deepEqual(severities(items), [2]);
    if (!handler) {
      assert.deepEqual(server.requests, []);
    }
  });
}

test('editor-bugs 53: a client that refuses every registration is served all the same', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a') });
  await using server = await LspProcess.start({
    folders: [folder.uri],
    capabilities: { textDocument: { diagnostic: { dynamicRegistration: false } } },
  });
  server.handle('client/registerCapability', () => new ResponseError(-32601, 'Method not found'));
  await server.open(folder.uriOf('x.md'), NEAR_MISS);
  assert.deepEqual(codes((await server.pull(folder.uriOf('x.md'))).items), ['malformed-tag']);
  assert.equal(await server.stop(), 0);
});

test('a client without workspace/configuration sends its settings at the start and when they change', async () => {
  await using server = await LspProcess.start({
    profile: 'minimal',
    initializationOptions: { contextLifecycle: { check: { severities: { 'malformed-tag': 'error' } } } },
  });
  const uri = 'untitled:a.md';
  await server.open(uri, NEAR_MISS);
  await server.published(uri, ({ diagnostics }) => diagnostics[0]?.severity === 1);
  await server.notify('workspace/didChangeConfiguration', {
    settings: { contextLifecycle: { check: { severities: { 'malformed-tag': 'note' } } } },
  });
  await server.published(uri, ({ diagnostics }) => diagnostics[0]?.severity === 3);
});

test('the project file holds for its folder, an editor setting wins, and a refused key is logged by name', async () => {
  const project = { severities: { 'malformed-tag': 'error', 'unexpected-block-end': 'note' }, gateway: 'http://x' };
  using folder = new WorkspaceFolder({ '.context-lifecycle.json': JSON.stringify(project) });
  await using server = await LspProcess.start({
    folders: [folder.uri],
    settings: { check: { severities: { 'unexpected-block-end': 'warning' } } },
  });
  const uri = folder.uriOf('a.md');
  await server.open(uri, `${NEAR_MISS}<!--/BLOCK_ID:a-->\n`);
  assert.deepEqual(severities((await server.pull(uri)).items), [1, 2]);
  assert.ok(
    server.log.some(line => line.includes("'gateway' may not be set")),
    server.log.join('\n'),
  );

  folder.write('.context-lifecycle.json', '{"exclude": ["a.md"]}');
  await afterRefresh(server, () =>
    server.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: folder.uriOf('.context-lifecycle.json'), type: FileChangeType.Changed }],
    }),
  );
  assert.deepEqual((await server.pull(uri)).items, []);
  folder.remove('.context-lifecycle.json');
  await afterRefresh(server, () =>
    server.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: folder.uriOf('.context-lifecycle.json'), type: FileChangeType.Deleted }],
    }),
  );
  assert.deepEqual(severities((await server.pull(uri)).items), [2, 2]);
});

test('a broken project file is logged and changes nothing', async () => {
  using folder = new WorkspaceFolder({ '.context-lifecycle.json': '{"sources": [' });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  await server.open(folder.uriOf('a.md'), NEAR_MISS);
  assert.deepEqual(severities((await server.pull(folder.uriOf('a.md'))).items), [2]);
  assert.ok(
    server.log.some(line => line.includes('is not valid JSON')),
    server.log.join('\n'),
  );
});

test('more sources than the limit are told in a note, which goes when the limit is raised', async () => {
  using folder = new WorkspaceFolder({
    'a/AGENTS.md': block('a'),
    'b/AGENTS.md': block('b'),
    'c/AGENTS.md': block('c'),
  });
  await using server = await LspProcess.start({ folders: [folder.uri], settings: { index: { maxFiles: 2 } } });
  const note = await server.notified<ServerNoteParams>(SERVER_NOTE);
  assert.match(note.text ?? '', /has more than 2 context sources, so only 2 are known\./);
  const from = server.notifications.length;
  server.settings = { index: { maxFiles: 3 } };
  await server.notify('workspace/didChangeConfiguration', { settings: null });
  assert.equal((await server.notified<ServerNoteParams>(SERVER_NOTE, () => true, from)).text, null);
});

test('messages come in the language that the client sends', async () => {
  const english = "This line closes '{0}', but no block is open here.";
  await using server = await LspProcess.start({
    initializationOptions: { l10n: { [english]: "Diese Zeile schließt '{0}', aber kein Block ist offen." } },
  });
  await server.open('untitled:a.md', '<!--/BLOCK_ID:a-->\n');
  const { items } = await server.pull('untitled:a.md');
  assert.deepEqual(
    items.map(({ message }) => message),
    ["Diese Zeile schließt 'a', aber kein Block ist offen."],
  );
});

test('translations can come from a file that the environment names, and a wrong one is only logged', async () => {
  using folder = new WorkspaceFolder({
    'bundle.json': JSON.stringify({
      "This line closes '{0}', but no block is open here.": 'Fermeture de {0} sans bloc.',
    }),
  });
  for (const [name, message] of [
    ['bundle.json', 'Fermeture de a sans bloc.'],
    ['none.json', "This line closes 'a', but no block is open here."],
  ] as const) {
    await using server = await LspProcess.start({ env: { VSCODE_L10N_BUNDLE_LOCATION: folder.uriOf(name) } });
    await server.open('untitled:a.md', '<!--/BLOCK_ID:a-->\n');
    assert.deepEqual(
      (await server.pull('untitled:a.md')).items.map(item => item.message),
      [message],
    );
    assert.equal(server.log.length, name === 'none.json' ? 1 : 0);
  }
});

test('two kinds of client: what is advertised fits what each can do', async () => {
  await using vscode = await LspProcess.start();
  await using minimal = await LspProcess.start({ profile: 'minimal' });
  const [full, small]: readonly ServerCapabilities[] = [vscode, minimal].map(
    server => server.initializeResult.capabilities,
  );
  assert.equal(full!.positionEncoding, 'utf-16');
  assert.equal(small!.positionEncoding, 'utf-8');
  assert.deepEqual(full!.renameProvider, { prepareProvider: true });
  assert.equal(small!.renameProvider, true);
  assert.ok(full!.codeActionProvider);
  assert.equal(small!.codeActionProvider, undefined);
  assert.deepEqual(full!.workspace, { workspaceFolders: { supported: true, changeNotifications: true } });
  assert.equal(small!.workspace, undefined);
  await vscode.requested('client/registerCapability');
  await minimal.open('untitled:a.md', NEAR_MISS);
  await minimal.published('untitled:a.md', () => true);
  assert.deepEqual(minimal.requests, [], 'a minimal client is asked for nothing');
  assert.equal(await minimal.stop(), 0);
});
