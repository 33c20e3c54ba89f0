import path from 'node:path';
import { bigDocument } from './corpus.ts';
import { markdownService } from './markdownService.ts';
import { medians, milliseconds, type Row, root, times } from './measure.ts';
import { type StdioServer, startStdioServer } from './stdioServer.ts';

const BYTES = 10_000_000;
const BLOCKS = 2_000;
const ROUNDS = 60;

/** DESIGN (Speed), row 2: one typed character in a large document, from the change to fresh diagnostics. */
export async function keystroke(): Promise<readonly Row[]> {
  const text = bigDocument(BYTES, BLOCKS);
  const ours = await openDocument(path.join(root, 'dist/server.js'), text);
  const syncOnly = await openDocument(path.join(import.meta.dirname, 'syncOnlyServer.ts'), text);
  const median = await medians({ ours: ours.type, syncOnly: syncOnly.type }, ROUNDS);
  await Promise.all([ours.server.stop(), syncOnly.server.stop()]);
  const service = markdownService(text);
  const peer = await medians({ markdown: () => service.edit(30_000) }, 1);
  const ratio = median.ours / median.syncOnly;
  const work = `keystroke in ${BYTES / 1e6} MB, ${BLOCKS} blocks, over stdio`;
  return [
    {
      work,
      ours: milliseconds(median.ours),
      peer: `sync alone ${milliseconds(median.syncOnly)}`,
      ratio: times(ratio),
      bar: '<= 1.2x',
      met: ratio <= 1.2,
    },
    {
      work,
      ours: milliseconds(median.ours),
      peer: `vscode-markdown-languageservice ${milliseconds(peer.markdown)}, in process`,
      ratio: `${times(peer.markdown / median.ours)} faster`,
      bar: 'printed',
    },
  ];
}

async function openDocument(script: string, text: string): Promise<{ server: StdioServer; type: () => Promise<void> }> {
  const server = await startStdioServer(script);
  const uri = 'untitled:big.md';
  let version = 1;
  await server.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'markdown', version, text },
  });
  const type = async (): Promise<void> => {
    version++;
    const at = { line: 30_000 + (version % 7) * 100, character: 5 };
    void server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: at, end: at }, text: 'x' }],
    });
    await server.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  };
  await type();
  return { server, type };
}
