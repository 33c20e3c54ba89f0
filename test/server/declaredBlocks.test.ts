import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  DECLARED_BLOCKS_CHANGED,
  type DeclaredBlock,
  type DeclaredBlocks,
} from '../../protocol/lifecycle/editorRequests.ts';
import { declaredWhen } from './indexedServer.ts';
import { LspProcess } from './lspProcess.ts';
import { block, discard, WorkspaceFolder } from './workspaceFolder.ts';

async function declared(server: LspProcess): Promise<DeclaredBlocks> {
  return declaredWhen(server, ({ complete }) => complete);
}

test('sources come in load order with their blocks, problems and conflicts; silent ones stay out', async () => {
  using folder = new WorkspaceFolder({
    'x.context.md': block('a'),
    'AGENTS.md': `# Rules\n\n${block('a')}${discard('nowhere')}`,
    'GEMINI.md': 'Nothing.\n',
    'y.context.md': '<!--EPHEMERAL-->\n',
  });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  const { folders } = await declared(server);
  assert.equal(folders.length, 1);
  assert.equal(folders[0]!.uri, folder.uri);
  assert.deepEqual(folders[0]!.sources, [
    {
      uri: folder.uriOf('AGENTS.md'),
      path: 'AGENTS.md',
      problemCount: 1,
      blocks: [{ id: 'a', line: 2, endLine: 4, state: 'valid' }],
    },
    {
      uri: folder.uriOf('x.context.md'),
      path: 'x.context.md',
      problemCount: 1,
      blocks: [
        {
          id: 'a',
          line: 0,
          endLine: 2,
          state: 'conflict',
          reason:
            "Block 'a' is already defined in AGENTS.md, which is loaded first, so this definition does not become active.",
          winner: { uri: folder.uriOf('AGENTS.md'), line: 2 },
        },
      ],
    },
    { uri: folder.uriOf('y.context.md'), path: 'y.context.md', problemCount: 1, blocks: [] },
  ]);
});

test('what an editor cannot show of a file is no problem here; a byte order mark is one', async () => {
  using folder = new WorkspaceFolder({
    'AGENTS.md': `\ufeff${block('marked')}`,
    'a.context.md': 'one\r\ntwo\n',
    'b.context.md': `one\r${block('mac').replaceAll('\n', '\r')}`,
  });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  assert.deepEqual(
    (await declared(server)).folders[0]!.sources.map(({ path, problemCount }) => [path, problemCount]),
    [
      ['AGENTS.md', 1],
      ['b.context.md', 0],
    ],
  );
});

test('what a closed file or the settings turn off is no problem of it', async () => {
  const text = `${block('a')}${discard('nowhere')}`;
  using folder = new WorkspaceFolder({
    '.context-lifecycle.json': '{ "severities": { "malformed-tag": "off" } }',
    'AGENTS.md': block('a'),
    'all.context.md': `<!-- context-lifecycle-disable -->\n${text}`,
    'one.context.md': `<!-- context-lifecycle-disable unknown-block -->\n<!--EPHEMERAL-->\n${text}`,
    'none.context.md': text,
  });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  const counts = ({ folders }: DeclaredBlocks) =>
    Object.fromEntries(folders[0]?.sources.map(({ path, problemCount }) => [path, problemCount]) ?? []);
  const expected = { 'AGENTS.md': 0, 'all.context.md': 0, 'one.context.md': 1, 'none.context.md': 2 };
  assert.deepEqual(counts(await declared(server)), expected);
  for (const name of Object.keys(expected)) {
    await server.open(folder.uriOf(name), readFileSync(`${folder.path}/${name}`, 'utf8'));
  }
  assert.deepEqual(counts(await declared(server)), expected, 'open files count the same');
  const from = server.notifications.length;
  await server.close(folder.write('one.context.md', text));
  await server.notified(DECLARED_BLOCKS_CHANGED, () => true, from);
  assert.equal(counts(await declared(server))['one.context.md'], 2);
});

test('each way to be invalid has its own reason', async () => {
  const text = [
    '<!--BLOCK_ID:outer-->',
    '<!--BLOCK_ID:inner-->',
    '<!--/BLOCK_ID:other-->',
    '<!--/BLOCK_ID:outer-->',
    '<!--BLOCK_ID:twice-->',
    '<!--/BLOCK_ID:twice-->',
    '<!--BLOCK_ID:twice-->',
    '<!--/BLOCK_ID:twice-->',
    '<!--BLOCK_ID:open-->',
  ].join('\n');
  using folder = new WorkspaceFolder({ 'AGENTS.md': text });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  const { blocks } = (await declared(server)).folders[0]!.sources[0]!;
  const shown = blocks.map(({ id, line, endLine, state, reason }: DeclaredBlock) => [id, line, endLine, state, reason]);
  assert.deepEqual(shown, [
    [
      'outer',
      0,
      3,
      'invalid',
      "Block 'inner' opens inside block 'outer'. Blocks cannot nest, so neither becomes active.",
    ],
    [
      'inner',
      1,
      1,
      'invalid',
      "Block 'inner' opens inside block 'outer'. Blocks cannot nest, so neither becomes active.",
    ],
    [
      'twice',
      4,
      5,
      'invalid',
      "Block ID 'twice' is defined again in this document, so none of these definitions becomes active.",
    ],
    [
      'twice',
      6,
      7,
      'invalid',
      "Block ID 'twice' is defined more than once in this document, so none of these definitions becomes active.",
    ],
    ['open', 8, 8, 'invalid', "Block 'open' is never closed, so it does not become active."],
  ]);
});

test('changes in an open document are announced once, and only to who has asked', async () => {
  using folder = new WorkspaceFolder({ 'AGENTS.md': block('a') });
  await using server = await LspProcess.start({ folders: [folder.uri] });
  const uri = folder.uriOf('AGENTS.md');
  await server.open(uri, block('a'));
  await server.change(uri, block('b'));
  await declared(server);
  const from = server.notifications.length;
  for (let step = 0; step < 20; step++) {
    await server.change(uri, `${'\n'.repeat(step)}${block('c')}`);
  }
  await server.notified(DECLARED_BLOCKS_CHANGED, () => true, from);
  const { blocks } = (await declared(server)).folders[0]!.sources[0]!;
  assert.deepEqual(blocks, [{ id: 'c', line: 19, endLine: 21, state: 'valid' }]);
  assert.ok(server.notifications.slice(from).filter(({ method }) => method === DECLARED_BLOCKS_CHANGED).length <= 2);

  await using silent = await LspProcess.start({ folders: [folder.uri] });
  await silent.open(uri, block('a'));
  await silent.change(uri, block('b'));
  await silent.requested('workspace/diagnostic/refresh');
  assert.ok(!silent.notifications.some(({ method }) => method === DECLARED_BLOCKS_CHANGED));
});
