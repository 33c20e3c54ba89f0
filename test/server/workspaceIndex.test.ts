import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Diagnostic, FileChangeType, type FileSystemWatcher } from 'vscode-languageserver-protocol';
import { DECLARED_BLOCKS_REQUEST, type DeclaredBlocks } from '../../protocol/lifecycle/editorRequests.ts';
import { declaredWhen, filesChanged, idsOf, startIndexed } from './indexedServer.ts';
import { LspProcess } from './lspProcess.ts';
import { block, discard, WorkspaceFolder } from './workspaceFolder.ts';

const { Created, Changed, Deleted } = FileChangeType;
const codes = (items: readonly Diagnostic[]) => items.map(({ code }) => code);

function watchersOf(server: LspProcess): readonly FileSystemWatcher[] {
  const registered = [...server.registrations.values()].find(
    ({ method }) => method === 'workspace/didChangeWatchedFiles',
  );
  return (registered?.registerOptions as { watchers: FileSystemWatcher[] } | undefined)?.watchers ?? [];
}

test('closed sources count: conflicts, known and unknown blocks, references into files that are not open', async () => {
  using folder = new WorkspaceFolder({
    'AGENTS.md': block('a'),
    'docs/notes.context.md': block('b'),
    'README.md': block('c'),
    'node_modules/pkg/AGENTS.md': block('d'),
  });
  await using server = await startIndexed([folder.uri]);
  const uri = folder.uriOf('x.prompt.md');
  await server.open(uri, `${block('a')}${discard('b')}${discard('c')}${discard('d')}`);
  const { items } = await server.pull(uri);
  assert.deepEqual(
    items.map(({ code, range }) => [code, range.start.line]),
    [
      ['block-id-conflict', 0],
      ['unknown-block', 4],
      ['unknown-block', 5],
    ],
  );
  assert.equal(items[0]!.relatedInformation?.[0]?.location.uri, folder.uriOf('AGENTS.md'));
  const at = { textDocument: { uri }, position: { line: 3, character: 20 } };
  const places = await server.request<{ uri: string }[]>('textDocument/references', {
    ...at,
    context: { includeDeclaration: true },
  });
  assert.deepEqual(new Set(places.map(({ uri }) => uri)), new Set([uri, folder.uriOf('docs/notes.context.md')]));
});

test('what is open counts instead of the file, and the file again after closing', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('disk'), 'CLAUDE.md': '' });
  await using server = await startIndexed([folder.uri]);
  const [agents, claude] = [folder.uriOf('AGENTS.md'), folder.uriOf('CLAUDE.md')];
  await server.open(claude, `${discard('disk')}${discard('editor')}`);
  await server.open(agents, block('editor'));
  assert.deepEqual(
    (await server.pull(claude)).items
      .filter(({ code }) => code === 'unknown-block')
      .map(({ range }) => range.start.line),
    [0],
  );
  const from = server.requests.length;
  await server.close(agents);
  await server.requested('workspace/diagnostic/refresh', () => true, from);
  await declaredWhen(server, blocks => idsOf(blocks).includes('disk'));
  assert.deepEqual(
    (await server.pull(claude)).items
      .filter(({ code }) => code === 'unknown-block')
      .map(({ range }) => range.start.line),
    [1],
  );
});

test('no block is called unknown before every source has been read, nor outside of all folders', async () => {
  const root = 'vscode-vfs://github/owner/repo';
  await using server = await LspProcess.start({ folders: [root] });
  let answerSearch: (uris: readonly string[]) => void = () => undefined;
  server.handle('contextLifecycle/findFiles', () => new Promise(resolve => (answerSearch = resolve)));
  server.handle('contextLifecycle/readFile', () => Buffer.from(block('known')).toString('base64'));
  const uri = `${root}/x.prompt.md`;
  await server.open(uri, `${discard('known')}${discard('unknown')}`);
  await server.open('file:///elsewhere/AGENTS.md', discard('unknown'));
  await server.requested('contextLifecycle/findFiles');
  assert.deepEqual((await server.pull(uri)).items, []);
  const from = server.requests.length;
  answerSearch([`${root}/AGENTS.md`]);
  await server.requested('workspace/diagnostic/refresh', () => true, from);
  await declaredWhen(server, ({ complete }) => complete);
  const { items } = await server.pull(uri);
  assert.deepEqual(
    items.map(({ code, range }) => [code, range.start.line]),
    [['unknown-block', 1]],
  );
  assert.deepEqual((await server.pull('file:///elsewhere/AGENTS.md')).items, []);
});

test('editor-bugs 25: changes, creations and deletions outside the editor are noticed', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('old') });
  await using server = await startIndexed([folder.uri]);
  const uri = folder.write('AGENTS.md', block('new'));
  await filesChanged(server, [{ uri, type: Changed }]);
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'new');
  await filesChanged(server, [{ uri: folder.write('sub/SKILL.md', block('skill')), type: Created }]);
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'new,skill');
  await filesChanged(server, [{ uri: folder.remove('AGENTS.md'), type: Deleted }]);
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'skill');
});

test('editor-bugs 25: a folder that comes or goes brings and takes its files', async () => {
  using folder = new WorkspaceFolder({
    'AGENTS.md': block('a'),
    'sub/deep/SKILL.md': block('b'),
    'subway/SKILL.md': block('c'),
  });
  await using server = await startIndexed([folder.uri]);
  await filesChanged(server, [{ uri: folder.remove('sub'), type: Deleted }]);
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'a,c');
  folder.write('moved-in/deep/SKILL.md', block('d'));
  await filesChanged(server, [{ uri: folder.uriOf('moved-in'), type: Created }]);
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'a,d,c');
});

test('the client is asked to watch sources, the project file, and whatever comes or goes', async () => {
  using folder = new WorkspaceFolder();
  await using server = await startIndexed([folder.uri]);
  await server.requested('client/registerCapability', ({ registrations }: { registrations: { method: string }[] }) =>
    registrations.some(({ method }) => method === 'workspace/didChangeWatchedFiles'),
  );
  const watched = watchersOf(server).map(({ globPattern, kind }) => {
    const { baseUri, pattern } = globPattern as { baseUri: string; pattern: string };
    assert.equal(baseUri, folder.uri);
    return `${pattern} ${kind}`;
  });
  assert.deepEqual(watched.slice(0, 2), ['**/* 5', '.context-lifecycle.json 2']);
  assert.ok(watched.includes('**/AGENTS.md 2'));
});

test('editor-bugs 26: a branch switch of 500 files is one round of reading and one refresh', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `n${index}/AGENTS.md`);
  using folder = new WorkspaceFolder(Object.fromEntries(names.map((name, index) => [name, block(`old-${index}`)])));
  await using server = await startIndexed([folder.uri]);
  await server.requested('workspace/diagnostic/refresh');
  const from = server.requests.length;
  const changes = names.flatMap((name, index) => {
    const uri = folder.write(name, block(`new-${index}`));
    return [
      { uri, type: Deleted },
      { uri, type: Created },
    ];
  });
  await filesChanged(server, changes);
  await declaredWhen(server, blocks => idsOf(blocks).every(id => id.startsWith('new-')));
  await server.requested('workspace/diagnostic/refresh', () => true, from);
  // The answer to a later request would follow a second refresh.
  await server.open('untitled:x.md', '');
  await server.pull('untitled:x.md');
  const refreshes = server.requests.slice(from).filter(({ method }) => method === 'workspace/diagnostic/refresh');
  assert.equal(refreshes.length, 1);
});

test('loops of links, broken links, huge and binary files are left out with one log line each kind', async () => {
  using folder = new WorkspaceFolder({
    'AGENTS.md': block('a'),
    'b1.context.md': Uint8Array.of(0x3c, 0, 1, 2),
    'b2.context.md': Uint8Array.of(0, 0),
    'sub/CLAUDE.md': block('c'),
  });
  const inside = (name: string) => path.join(folder.path, name);
  for (const name of ['h1.context.md', 'h2.context.md']) {
    writeFileSync(inside(name), '');
    truncateSync(inside(name), 50_000_000);
  }
  symlinkSync(folder.path, inside('sub/loop'), 'dir');
  symlinkSync('.', inside('here'), 'dir');
  symlinkSync('nothing', inside('broken1.context.md'));
  symlinkSync('nothing', inside('broken2.context.md'));
  mkdirSync(inside('dir.context.md'));
  await using server = await startIndexed([folder.uri]);
  const blocks = await declaredWhen(server, ({ complete }) => complete);
  assert.deepEqual(idsOf(blocks), ['a', 'c']);
  const lines = server.log.map(line => line.replace(/^.*: Skipped \S+/, 'Skipped'));
  assert.deepEqual(lines.sort(), [
    'Skipped (and 1 more like it): it is a symbolic link to nothing.',
    'Skipped (and 1 more like it): it is a symbolic link to something that is already there.',
    'Skipped (and 1 more like it): it is larger than 16 MiB.',
    'Skipped (and 1 more like it): it is not text.',
  ]);
});

test('editor-bugs 50: a file reached by a link keeps the link’s path, and two names of one file never conflict', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a'), 'elsewhere/rules.md': block('rule') });
  symlinkSync('AGENTS.md', path.join(folder.path, 'CLAUDE.md'));
  mkdirSync(path.join(folder.path, '.cursor'));
  symlinkSync('../elsewhere', path.join(folder.path, '.cursor/rules'), 'dir');
  await using server = await startIndexed([folder.uri]);
  const { folders } = await declaredWhen(server, ({ complete }) => complete);
  assert.deepEqual(
    folders[0]!.sources.map(({ path }) => path),
    ['AGENTS.md', '.cursor/rules/rules.md'],
  );
  const link = folder.uriOf('CLAUDE.md');
  await server.open(link, block('a'));
  assert.deepEqual(
    codes((await server.pull(link)).items).filter(code => code === 'block-id-conflict'),
    [],
  );
});

test('editor-bugs 8: the editor says when the file on disk starts with a byte order mark', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': `\ufeff${block('a')}` });
  await using server = await startIndexed([folder.uri]);
  const uri = folder.uriOf('AGENTS.md');
  await server.open(uri, block('a'));
  assert.deepEqual(codes((await server.pull(uri)).items), ['byte-order-mark']);
  folder.write('AGENTS.md', block('a'));
  const from = server.requests.length;
  await filesChanged(server, [{ uri, type: Changed }]);
  await server.requested('workspace/diagnostic/refresh', () => true, from);
  assert.deepEqual((await server.pull(uri)).items, []);
});

test('folders are projects of their own; they come and go while the server runs', async () => {
  using one = new WorkspaceFolder({ 'AGENTS.md': block('same') });
  using two = new WorkspaceFolder({ 'AGENTS.md': block('same') });
  await using server = await startIndexed([one.uri, two.uri]);
  const both = await declaredWhen(server, ({ complete }) => complete);
  assert.deepEqual(
    both.folders.map(({ sources }) => sources[0]!.blocks[0]!.state),
    ['valid', 'valid'],
  );
  await server.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [], removed: [{ uri: one.uri, name: 'one' }] },
  });
  await declaredWhen(server, ({ folders, complete }) => complete && folders.map(({ uri }) => uri).join() === two.uri);
  await server.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [{ uri: one.uri, name: 'one' }], removed: [] },
  });
  const again = await declaredWhen(server, blocks => blocks.complete && blocks.folders.length === 2);
  assert.deepEqual(again.folders.map(({ name }) => name).at(1), 'one');
});

test('a folder of folders: the inner one is its own project, and its open files count in the outer one too', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('outer'), 'inner/AGENTS.md': block('inner') });
  await using server = await startIndexed([folder.uri, folder.uriOf('inner')]);
  const uri = folder.uriOf('inner/AGENTS.md');
  await server.open(uri, `${block('inner')}${discard('outer')}`);
  assert.deepEqual(codes((await server.pull(uri)).items), ['unknown-block']);
  await server.change(uri, block('changed'));
  const blocks = await declaredWhen(server, blocks => idsOf(blocks).includes('changed'));
  assert.deepEqual(idsOf(blocks), ['outer', 'changed', 'changed']);
});

test('editor-bugs 49: a drive letter’s case makes no other folder and no other file', async () => {
  await using server = await LspProcess.start({ folders: ['file:///d%3A/work'] });
  await server.open('file:///D:/work/AGENTS.md', block('a'));
  await server.open('file:///d:/work/CLAUDE.md', `${block('a')}${discard('a')}`);
  assert.deepEqual(
    codes((await server.pull('file:///d%3A/work/CLAUDE.md')).items).filter(code => code !== 'host-strips-comments'),
    ['block-id-conflict'],
  );
  await server.open('file:///d:/workshop/CLAUDE.md', block('a'));
  assert.ok(!codes((await server.pull('file:///d:/workshop/CLAUDE.md')).items).includes('block-id-conflict'));
});

test('editor-bugs 52: no folder at all: the server starts and works file by file', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  await server.open('file:///somewhere/AGENTS.md', `${block('a')}<!--/BLOCK_ID:b-->\n`);
  const { diagnostics } = await server.published('file:///somewhere/AGENTS.md', () => true);
  assert.deepEqual(codes(diagnostics), ['unexpected-block-end']);
  const blocks = await server.request<DeclaredBlocks>(DECLARED_BLOCKS_REQUEST, undefined);
  assert.deepEqual(blocks, { folders: [], complete: true });
});

test('a folder that is not there is told in the log, and open files in it are checked', async () => {
  await using server = await startIndexed(['file:///no/such/folder']);
  assert.equal(server.log.length, 1);
  assert.match(server.log[0]!, /cannot be searched, so only open files are known/);
  await server.open('file:///no/such/folder/AGENTS.md', '<!--/BLOCK_ID:b-->\n');
  assert.deepEqual(codes((await server.pull('file:///no/such/folder/AGENTS.md')).items), ['unexpected-block-end']);
});

test('rename edits files that are not open as they are on disk now, even without a watcher', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a') });
  await using server = await startIndexed([folder.uri]);
  const uri = folder.uriOf('x.prompt.md');
  await server.open(uri, discard('a'));
  folder.write('AGENTS.md', `moved down\n\n${block('a')}`);
  const edit = await server.request<{
    documentChanges: { textDocument: { uri: string }; edits: { range: { start: { line: number } } }[] }[];
  }>('textDocument/rename', { textDocument: { uri }, position: { line: 0, character: 20 }, newName: 'b' });
  const changed = edit.documentChanges.find(({ textDocument }) => textDocument.uri === folder.uriOf('AGENTS.md'));
  assert.deepEqual(
    changed?.edits.map(({ range }) => range.start.line),
    [2, 4],
  );
});

test('a virtual folder is searched and read through the client', async () => {
  const root = 'vscode-vfs://github/owner/repo';
  await using server = await LspProcess.start({ folders: [root] });
  server.handle('contextLifecycle/findFiles', () => [`${root}/AGENTS.md`, `${root}/other.md`]);
  server.handle('contextLifecycle/readFile', ({ uri }: { uri: string }) =>
    uri.endsWith('AGENTS.md') ? Buffer.from(block('virtual')).toString('base64') : null,
  );
  const blocks = await declaredWhen(server, ({ complete }) => complete);
  assert.deepEqual(idsOf(blocks), ['virtual']);
});

test('2,000 sources are indexed while hovers are answered', async () => {
  const files = Array.from({ length: 2000 }, (_, index) => [`d${index % 50}/f${index}.context.md`, block(`b${index}`)]);
  using folder = new WorkspaceFolder(Object.fromEntries(files));
  await using server = await LspProcess.start({ folders: [folder.uri] });
  await server.open('untitled:a.md', block('a'));
  const at = { textDocument: { uri: 'untitled:a.md' }, position: { line: 0, character: 14 } };
  let answered = 0;
  let complete = false;
  const indexed = declaredWhen(server, blocks => blocks.complete).then(blocks => {
    complete = true;
    return blocks;
  });
  while (!complete) {
    assert.ok(await server.request('textDocument/hover', at));
    answered++;
  }
  assert.equal(idsOf(await indexed).length, 2000);
  assert.ok(answered > 5, `only ${answered} hovers were answered meanwhile`);
});
