import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { FileChangeType } from 'vscode-languageserver-protocol';
import { isAtOrBelow } from '../../server/folders.ts';
import { declaredWhen, filesChanged, idsOf, startIndexed } from './indexedServer.ts';
import { LspProcess } from './lspProcess.ts';
import { block, discard, WorkspaceFolder } from './workspaceFolder.ts';

const { Created, Changed, Deleted } = FileChangeType;

test('a link that becomes a file counts as one, open or not', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a') });
  symlinkSync('AGENTS.md', path.join(folder.path, 'CLAUDE.md'));
  await using server = await startIndexed([folder.uri]);
  const uri = folder.remove('CLAUDE.md');
  folder.write('CLAUDE.md', block('own'));
  // A watcher may tell of both steps, or sum them up.
  await filesChanged(server, [{ uri, type: Changed }]);
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'a,own');
  await server.open(uri, block('typed'));
  await declaredWhen(server, blocks => idsOf(blocks).join() === 'a,typed');
});

test('a file that becomes a link to a source is that source, and conflicts with nothing', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a'), 'CLAUDE.md': block('own') });
  await using server = await startIndexed([folder.uri]);
  const uri = folder.remove('CLAUDE.md');
  symlinkSync('AGENTS.md', path.join(folder.path, 'CLAUDE.md'));
  await filesChanged(server, [
    { uri, type: Deleted },
    { uri, type: Created },
  ]);
  const { folders } = await declaredWhen(server, blocks => idsOf(blocks).join() === 'a');
  assert.deepEqual(
    folders[0]?.sources.map(source => source.path),
    ['AGENTS.md'],
  );
});

test('the other name of a file stays when the first one goes', async () => {
  using outside = new WorkspaceFolder({ 'shared.md': block('a') });
  using folder = new WorkspaceFolder();
  for (const name of ['AGENTS.md', 'CLAUDE.md']) {
    symlinkSync(path.join(outside.path, 'shared.md'), path.join(folder.path, name));
  }
  await using server = await startIndexed([folder.uri]);
  const sources = async (fits: (names: string) => boolean): Promise<void> => {
    await declaredWhen(server, ({ folders }) => fits(folders[0]?.sources.map(source => source.path).join() ?? ''));
  };
  const names = (await declaredWhen(server, () => true)).folders[0]?.sources.map(source => source.path) ?? [];
  assert.equal(names.length, 1);
  const gone = names[0] ?? '';
  await filesChanged(server, [{ uri: folder.remove(gone), type: Deleted }]);
  await sources(left => left === (gone === 'AGENTS.md' ? 'CLAUDE.md' : 'AGENTS.md'));
});

test('a hundred thousand deleted files are compared with ten thousand sources without comparing each with each', () => {
  const removed = new Set(Array.from({ length: 100_000 }, (_, index) => `dist/file${index}.js`));
  const sources = Array.from({ length: 10_000 }, (_, index) => `packages/p${index}/AGENTS.md`);
  assert.deepEqual(
    sources.filter(source => isAtOrBelow(source, removed)),
    [],
  );
  assert.ok(isAtOrBelow('dist/file7.js/x.md', removed));
  assert.ok(!isAtOrBelow('dist/file7', removed));
  assert.ok(isAtOrBelow('a/b/c.md', new Set(['a'])));
  assert.ok(!isAtOrBelow('ab/c.md', new Set(['a'])));
});

test('folders that come and go while they are searched leave no error and no block behind', async () => {
  const files = Array.from({ length: 300 }, (_, index) => [`p${index}/AGENTS.md`, block(`b${index}`)] as const);
  using folder = new WorkspaceFolder(Object.fromEntries(files));
  await using server = await LspProcess.start({ folders: [folder.uri] });
  const here = { uri: folder.uri, name: 'here' };
  const change = async (added: readonly object[], removed: readonly object[]): Promise<void> =>
    server.notify('workspace/didChangeWorkspaceFolders', { event: { added, removed } });
  for (let round = 0; round < 20; round++) {
    await change([], [here]);
    await change([here], []);
  }
  await change([here], []);
  await declaredWhen(server, ({ complete, folders }) => complete && folders[0]?.sources.length === 300);
  await change([], [here]);
  await declaredWhen(server, ({ folders }) => folders.length === 0);
  assert.deepEqual(
    server.log.filter(message => /error/i.test(message)),
    [],
  );
});

test('of two answers to a question for settings the later question counts, whichever is answered last', async () => {
  await using server = await LspProcess.start({ settings: {} });
  const uri = 'untitled:a.md';
  await server.open(uri, '<!--EPHEMERAL-->\n');
  assert.equal((await server.pull(uri)).items.length, 1);
  let answerLate: (settings: readonly object[]) => void = () => undefined;
  const late = new Promise<readonly object[]>(resolve => {
    answerLate = resolve;
  });
  const answers = [late, Promise.resolve([{ check: { severities: { 'malformed-tag': 'off' } } }])];
  server.handle('workspace/configuration', () => answers.shift());
  await server.notify('workspace/didChangeConfiguration', { settings: null });
  await server.notify('workspace/didChangeConfiguration', { settings: null });
  assert.equal((await server.pull(uri)).items.length, 0);
  const from = server.requests.length;
  answerLate([{ check: { severities: { 'malformed-tag': 'error' } } }]);
  await server.requested('workspace/diagnostic/refresh', () => true, from);
  assert.equal((await server.pull(uri)).items.length, 0);
});

test('a thousand open sources know each other', async () => {
  using folder = new WorkspaceFolder();
  await using server = await startIndexed([folder.uri]);
  for (let index = 0; index < 1000; index++) {
    await server.open(folder.uriOf(`p${index}/AGENTS.md`), block(`b${index}`) + discard(`b${(index + 1) % 1000}`));
  }
  const { folders } = await declaredWhen(server, blocks => idsOf(blocks).length === 1000);
  assert.ok(folders[0]?.sources.every(({ problemCount }) => problemCount === 0));
});
