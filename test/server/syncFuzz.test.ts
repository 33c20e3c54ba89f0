import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenDocuments } from '../../server/openDocuments.ts';
import type { PositionEncoding } from '../../server/positionEncoding.ts';
import { isPlace, numbersFrom, positionOf, randomEdit } from './editModel.ts';
import { LspProcess } from './lspProcess.ts';

const ENCODINGS: readonly PositionEncoding[] = ['utf-8', 'utf-16', 'utf-32'];
const EDITS = 100_000;
const uri = 'file:///fuzz.md';

for (const encoding of ENCODINGS) {
  test(`${EDITS} random edits in ${encoding} leave the text, its places and its outline as a fresh parse has them`, () => {
    const random = numbersFrom(2026);
    const documents = new OpenDocuments(encoding);
    documents.open({ uri, languageId: 'markdown', version: 0, text: '' });
    let text = '';
    for (let version = 1; version <= EDITS; version++) {
      const { start, end, newText } = randomEdit(text, random, 400);
      const range = { start: positionOf(text, start, encoding), end: positionOf(text, end, encoding) };
      documents.change({ textDocument: { uri, version }, contentChanges: [{ range, text: newText }] });
      text = text.slice(0, start) + newText + text.slice(end);
      const document = documents.get(uri)!;
      if (document.text.getText() !== text) {
        assert.fail(`edit ${version}: ${JSON.stringify(document.text.getText())} is not ${JSON.stringify(text)}`);
      }
      if (version % 50 === 0) {
        const fresh = new OpenDocuments(encoding);
        fresh.open({ uri, languageId: 'markdown', version, text });
        assert.deepEqual(document.outline, fresh.get(uri)!.outline, `outline after edit ${version}`);
        const offset = random(text.length + 1);
        if (isPlace(text, offset)) {
          assert.deepEqual(document.positionAt(offset), positionOf(text, offset, encoding), `place after ${version}`);
          assert.equal(document.offsetAt(document.positionAt(offset)), offset, `way back after edit ${version}`);
        }
      }
    }
  });
}

for (const encoding of ENCODINGS) {
  test(`2,000 random edits over stdio in ${encoding} are diagnosed as a fresh document is`, async () => {
    await using server = await LspProcess.start({ capabilities: { general: { positionEncodings: [encoding] } } });
    assert.equal(server.initializeResult.capabilities.positionEncoding, encoding);
    const random = numbersFrom(7);
    let text = '';
    await server.open('untitled:edited.md', text);
    for (let step = 1; step <= 2000; step++) {
      const { start, end, newText } = randomEdit(text, random, 400);
      const range = { start: positionOf(text, start, encoding), end: positionOf(text, end, encoding) };
      await server.change('untitled:edited.md', [{ range, text: newText }]);
      text = text.slice(0, start) + newText + text.slice(end);
      if (step % 40 === 0) {
        const fresh = `untitled:fresh-${step}.md`;
        await server.open(fresh, text);
        const [edited, expected] = await Promise.all([shown('untitled:edited.md'), shown(fresh)]);
        assert.deepEqual(edited, expected, `after edit ${step}: ${JSON.stringify(text)}`);
        await server.close(fresh);
      }
    }
    assert.equal(await server.stop(), 0);

    async function shown(uri: string): Promise<unknown> {
      const { items } = await server.pull(uri);
      return items.map(({ range, code, message }) => ({ range, code, message }));
    }
  });
}
