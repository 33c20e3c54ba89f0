import { statSync } from 'node:fs';
import path from 'node:path';
import { entries } from '../../scripts/build/entries.ts';
import { packAll } from '../../scripts/package.ts';
import { medians, milliseconds, type Row, root } from './measure.ts';
import { startStdioServer } from './stdioServer.ts';

/** DESIGN (Speed), last row: server start to first diagnostics, and what ships. */
export async function startAndSizes(): Promise<readonly Row[]> {
  const median = await medians({ start: startOnce }, 9);
  const { vsix, tarball } = await packAll();
  const bundles = entries.map(({ output }) => path.join(root, 'dist', output));
  return [
    {
      work: 'server start to first diagnostics',
      ours: milliseconds(median.start),
      peer: '-',
      ratio: '-',
      bar: 'printed',
    },
    ...[...bundles, vsix, tarball].map(file => ({
      work: `size of ${path.basename(file)}`,
      ours: `${(statSync(file).size / 1000).toFixed(0)} kB`,
      peer: '-',
      ratio: '-',
      bar: 'bound in the build',
    })),
  ];
}

async function startOnce(): Promise<void> {
  const server = await startStdioServer(path.join(root, 'dist/server.js'));
  const uri = 'untitled:note.md';
  await server.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'markdown', version: 1, text: '<!--BLOCK_ID:a-->\n' },
  });
  await server.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  server.child.kill();
}
