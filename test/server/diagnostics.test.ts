import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancellationTokenSource, ResponseError } from 'vscode-jsonrpc/node';
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  LSPErrorCodes,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol';
import { product } from '../../protocol/product.ts';
import { LspProcess } from './lspProcess.ts';
import { block, discard } from './workspaceFolder.ts';

const uri = 'untitled:note.md';
const PUBLISH = 'textDocument/publishDiagnostics';
const codes = (items: readonly Diagnostic[]) => items.map(({ code }) => code);

test('a diagnostic has code, docs link, fixed source, severity, related places and the data of its fix', async () => {
  await using server = await LspProcess.start();
  await server.open(uri, `${block('a')}${block('a')}<!--EPHEMERAL-->\n`);
  const { items } = await server.pull(uri);
  const duplicate = items.find(({ code, range }) => code === 'duplicate-block-id' && range.start.line === 3)!;
  assert.deepEqual(duplicate.range, { start: { line: 3, character: 0 }, end: { line: 3, character: 17 } });
  assert.equal(duplicate.severity, DiagnosticSeverity.Error);
  assert.equal(duplicate.source, 'Context Lifecycle');
  assert.equal(duplicate.codeDescription?.href, `${product.diagnosticDocs}#duplicate-block-id`);
  assert.deepEqual(
    duplicate.relatedInformation?.map(({ location }) => [location.uri, location.range.start.line]),
    [[uri, 0]],
  );
  assert.deepEqual(duplicate.data, { code: 'duplicate-block-id', blockId: 'a', version: 1 });

  const nearMiss = items.find(({ code }) => code === 'malformed-tag')!;
  assert.equal(nearMiss.severity, DiagnosticSeverity.Warning);
  const { reason, fix, version } = nearMiss.data as {
    reason: string;
    fix: { title: string; mechanical: boolean; changes: { newText: string }[] };
    version: number;
  };
  assert.equal(reason, 'wrong-case');
  assert.equal(version, 1);
  assert.equal(fix.mechanical, true);
  assert.ok(fix.title.length > 0 && fix.changes.length > 0);
});

test('a repeated discard is faded and nothing else is', async () => {
  await using server = await LspProcess.start();
  await server.open(uri, `${block('a')}${discard('a')}${discard('a')}`);
  const { items } = await server.pull(uri);
  assert.equal(items.length, 1);
  assert.equal(items[0]!.range.start.line, 4);
  assert.equal(items[0]!.severity, DiagnosticSeverity.Hint);
  assert.deepEqual(items[0]!.tags, [DiagnosticTag.Unnecessary]);
});

test('a client that shows no related places, tags, links or data gets none', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  await server.open(uri, `${block('a')}${block('a')}${discard('a')}${discard('a')}`);
  const { diagnostics } = await server.published(uri, () => true);
  assert.deepEqual(codes(diagnostics), ['duplicate-block-id', 'duplicate-block-id']);
  for (const diagnostic of diagnostics) {
    assert.deepEqual(Object.keys(diagnostic).sort(), ['code', 'message', 'range', 'severity', 'source']);
  }
});

test('an unchanged document is answered with its result id, a changed one with a new list', async () => {
  await using server = await LspProcess.start();
  await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  const first = await server.pull(uri);
  assert.deepEqual(codes(first.items), ['unexpected-block-end']);
  assert.deepEqual(await server.pull(uri, first.resultId), { kind: 'unchanged', resultId: first.resultId });
  await server.change(uri, 'nothing\n');
  const second = await server.pull(uri, first.resultId);
  assert.equal(second.kind, 'full');
  assert.deepEqual(second.items, []);
});

test('a client that asks is never published to, and one that does not ask always is', async () => {
  await using asking = await LspProcess.start();
  await using listening = await LspProcess.start({ profile: 'minimal' });
  for (const server of [asking, listening]) {
    await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  }
  assert.equal(listening.initializeResult.capabilities.diagnosticProvider, undefined);
  await listening.published(uri, ({ diagnostics }) => diagnostics.length === 1);
  await asking.pull(uri);
  await asking.close(uri);
  await asking.pull(uri);
  assert.deepEqual(
    asking.notifications.filter(({ method }) => method === PUBLISH),
    [],
  );
});

test('published diagnostics carry the version, and follow the text', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  assert.equal((await server.published(uri, () => true)).version, 1);
  const version = await server.change(uri, 'fine\n');
  const { diagnostics } = await server.published(uri, params => params.version === version);
  assert.deepEqual(diagnostics, []);
});

test('positions are in the agreed encoding', async () => {
  const text = '漢字👩 <!--ephemeral-->\n';
  const before = { 'utf-8': 11, 'utf-16': 5, 'utf-32': 4 };
  for (const encoding of ['utf-8', 'utf-16', 'utf-32'] as const) {
    await using server = await LspProcess.start({ capabilities: { general: { positionEncodings: [encoding] } } });
    await server.open(uri, text);
    const [item] = (await server.pull(uri)).items;
    assert.ok(item?.code === 'malformed-tag', encoding);
    const { changes } = (item.data as { fix?: { changes: { range: Diagnostic['range'] }[] } }).fix ?? { changes: [] };
    const places = [item.range, ...changes.map(change => change.range)].flatMap(({ start, end }) => [start, end]);
    assert.ok(
      places.some(({ character }) => character === before[encoding]),
      `${encoding}: ${JSON.stringify(places)}`,
    );
  }
});

for (const languageId of ['markdown', 'prompt', 'instructions', 'chatagent', 'skill', 'context-markdown']) {
  test(`documents of language ${languageId} are checked`, async () => {
    await using server = await LspProcess.start();
    await server.open('file:///x.txt', '<!--/BLOCK_ID:a-->\n', languageId);
    assert.deepEqual(codes((await server.pull('file:///x.txt')).items), ['unexpected-block-end']);
  });
}

test('editor-bugs 16: a closed document is cleared', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  await server.published(uri, ({ diagnostics }) => diagnostics.length === 1);
  const from = server.notifications.length;
  await server.close(uri);
  assert.deepEqual((await server.published(uri, () => true, from)).diagnostics, []);

  await using asking = await LspProcess.start();
  await asking.open(uri, '<!--/BLOCK_ID:a-->\n');
  await asking.close(uri);
  assert.deepEqual(await asking.pull(uri), { kind: 'full', items: [] });
});

test('editor-bugs 16: a document closed right after a change is not published again', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  await server.change(uri, '<!--/BLOCK_ID:b-->\n');
  await server.close(uri);
  // Another document's diagnostics come from the next round, after the closed one would have been checked.
  await server.open('untitled:other.md', '<!--/BLOCK_ID:a-->\n');
  await server.published('untitled:other.md', () => true);
  const last = server.notifications.findLast(
    ({ method, params }) => method === PUBLISH && (params as PublishDiagnosticsParams).uri === uri,
  );
  assert.deepEqual((last!.params as PublishDiagnosticsParams).diagnostics, []);
});

test('editor-bugs 17: a renamed document is cleared under its old name and checked under the new one', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  await server.open('file:///old.md', '<!--/BLOCK_ID:a-->\n');
  await server.published('file:///old.md', ({ diagnostics }) => diagnostics.length === 1);
  const from = server.notifications.length;
  await server.close('file:///old.md');
  await server.open('file:///new.md', '<!--/BLOCK_ID:a-->\n');
  assert.deepEqual((await server.published('file:///old.md', () => true, from)).diagnostics, []);
  assert.equal((await server.published('file:///new.md', () => true, from)).diagnostics.length, 1);
  const published = server.notifications.slice(from).filter(({ method }) => method === PUBLISH);
  assert.equal(published.length, 2);
});

test('editor-bugs 17: a switch to another language clears, with or without a close before it', async () => {
  await using server = await LspProcess.start({ profile: 'minimal' });
  for (const closes of [true, false]) {
    await server.open(uri, '<!--/BLOCK_ID:a-->\n');
    await server.published(uri, ({ diagnostics }) => diagnostics.length === 1, server.notifications.length);
    const from = server.notifications.length;
    if (closes) {
      await server.close(uri);
    }
    await server.open(uri, '<!--/BLOCK_ID:a-->\n', 'plaintext');
    assert.deepEqual((await server.published(uri, () => true, from)).diagnostics, []);
  }
});

test('editor-bugs 19: a cancelled question is refused with a wish to be asked again, never answered empty', async () => {
  await using server = await LspProcess.start();
  await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  // The settings keep the first question waiting until it is cancelled.
  let answerSettings: (settings: readonly unknown[]) => void = () => undefined;
  server.handle('workspace/configuration', () => new Promise(resolve => (answerSettings = resolve)));
  const from = server.requests.length;
  await server.notify('workspace/didChangeConfiguration', { settings: null });
  await server.requested('workspace/configuration', () => true, from);
  const source = new CancellationTokenSource();
  const asked = server.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } }, source.token);
  source.cancel();
  // A later request is answered after the cancellation has arrived.
  await server.request('textDocument/foldingRange', { textDocument: { uri } });
  answerSettings([null]);
  await assert.rejects(asked, (error: unknown) => {
    assert.ok(error instanceof ResponseError);
    assert.equal(error.code, LSPErrorCodes.ServerCancelled);
    assert.deepEqual(error.data, { retriggerRequest: true });
    return true;
  });
  assert.deepEqual(codes((await server.pull(uri)).items), ['unexpected-block-end']);
});

test('editor-bugs 20: 100 fast edits, each asked about and given up for the next, end in the right list', async () => {
  await using server = await LspProcess.start();
  await server.open(uri, '<!--/BLOCK_ID:a-->\n');
  const answers: Promise<unknown>[] = [];
  let source = new CancellationTokenSource();
  for (let step = 0; step < 100; step++) {
    await server.change(uri, [
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: 'x\n' },
    ]);
    source.cancel();
    source = new CancellationTokenSource();
    const params = { textDocument: { uri } };
    answers.push(
      server.connection.sendRequest<{ items: Diagnostic[] }>('textDocument/diagnostic', params, source.token).then(
        ({ items }) => assert.deepEqual(codes(items), ['unexpected-block-end'], 'no list is empty on the way'),
        (error: unknown) => {
          const { code } = error as ResponseError;
          assert.ok(code === LSPErrorCodes.ServerCancelled || code === LSPErrorCodes.RequestCancelled, String(error));
        },
      ),
    );
  }
  await Promise.all(answers);
  const { items } = await server.pull(uri);
  assert.deepEqual(
    items.map(({ range }) => range.start.line),
    [100],
  );
});

test('editor-bugs 22: two documents never share a result', async () => {
  await using server = await LspProcess.start();
  await server.open('untitled:a.md', '<!--/BLOCK_ID:a-->\n');
  await server.open('untitled:b.md', block('b'));
  const a = await server.pull('untitled:a.md');
  const b = await server.pull('untitled:b.md', a.resultId);
  assert.equal(b.kind, 'full');
  assert.deepEqual(b.items, []);
  assert.deepEqual(codes(a.items), ['unexpected-block-end']);
});

test('editor-bugs 40, 41: documents that are not ours get empty answers, no error and no log line', async () => {
  await using server = await LspProcess.start();
  const git = 'git:/a/AGENTS.md?%7B%22path%22%3A%22%2Fa%2FAGENTS.md%22%2C%22ref%22%3A%22HEAD%22%7D';
  await server.open(git, '<!--/BLOCK_ID:a-->\n');
  await server.open('file:///a/AGENTS.md', '<!--/BLOCK_ID:a-->\n');
  for (const uri of [git, 'file:///never/opened.md', 'not a uri']) {
    const at = { textDocument: { uri }, position: { line: 0, character: 5 } };
    assert.deepEqual(await server.pull(uri), { kind: 'full', items: [] });
    assert.equal(await server.request('textDocument/hover', at), null);
    assert.equal(await server.request('textDocument/definition', at), null);
    assert.deepEqual(await server.request('textDocument/references', { ...at, context: {} }), []);
    assert.deepEqual(await server.request('textDocument/documentHighlight', at), []);
    assert.deepEqual(await server.request('textDocument/documentSymbol', at), []);
    assert.deepEqual(await server.request('textDocument/foldingRange', at), []);
    assert.deepEqual(await server.request('textDocument/selectionRange', { ...at, positions: [at.position] }), []);
    assert.equal(await server.request('textDocument/linkedEditingRange', at), null);
    assert.equal(await server.request('textDocument/completion', at), null);
    assert.equal(await server.request('textDocument/prepareRename', at), null);
    assert.equal(await server.request('textDocument/rename', { ...at, newName: 'x' }), null);
    assert.deepEqual(await server.request('textDocument/onTypeFormatting', { ...at, ch: '>', options: {} }), []);
    const range = { start: at.position, end: at.position };
    const actions = { textDocument: { uri }, range, context: { diagnostics: [] } };
    assert.deepEqual(await server.request('textDocument/codeAction', actions), []);
    await server.change(uri, 'x');
    await server.close(uri);
  }
  assert.deepEqual(codes((await server.pull('file:///a/AGENTS.md')).items), ['unexpected-block-end']);
  assert.deepEqual(server.log, []);
});

test('editor-bugs 43: an untitled document has every single-file feature', async () => {
  await using server = await LspProcess.start();
  await server.open('untitled:Untitled-1', block('a'));
  const at = { textDocument: { uri: 'untitled:Untitled-1' }, position: { line: 0, character: 14 } };
  assert.ok(await server.request('textDocument/hover', at));
  const edit = await server.request<{ documentChanges: { edits: object[] }[] }>('textDocument/rename', {
    ...at,
    newName: 'b',
  });
  assert.deepEqual(
    edit.documentChanges.map(({ edits }) => edits.length),
    [2],
  );
});

test('editor-bugs 44: the cells of a notebook are documents of their own', async () => {
  await using server = await LspProcess.start();
  const cells = ['vscode-notebook-cell:/n.ipynb#A', 'vscode-notebook-cell:/n.ipynb#a'];
  for (const cell of cells) {
    await server.open(cell, block('same'));
  }
  for (const cell of cells) {
    assert.deepEqual((await server.pull(cell)).items, []);
  }
});

test('editor-bugs 8, 10: a marker on line 1 counts in the editor’s text, and behind a mark that is still there it does not', async () => {
  await using server = await LspProcess.start();
  await server.open('untitled:a.md', '<!--ephemeral-->\n');
  await server.open('untitled:b.md', '\ufeff<!--ephemeral-->\n');
  assert.deepEqual((await server.pull('untitled:a.md')).items, []);
  assert.deepEqual(codes((await server.pull('untitled:b.md')).items), ['malformed-tag']);
});

test('editor-bugs 61: a line of 1 MB and 2,000 blocks are checked to the end', async () => {
  await using server = await LspProcess.start();
  const blocks = Array.from({ length: 2000 }, (_, index) => block(`b${index}`)).join('');
  await server.open(uri, `${'<!-- x '.repeat(150_000)}\n${blocks}<!--/BLOCK_ID:last-->`);
  const { items } = await server.pull(uri);
  assert.deepEqual(
    items.filter(({ code }) => code === 'unexpected-block-end').map(({ range }) => range.start.line),
    [6001],
  );
});
