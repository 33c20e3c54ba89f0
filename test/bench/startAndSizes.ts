import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { medians, milliseconds, type Row, root } from './measure.ts';
import { startStdioServer } from './stdioServer.ts';

/** DESIGN (Speed), last row: server start to first diagnostics, and what ships. */
export async function startAndSizes(): Promise<readonly Row[]> {
  const median = await medians({ start: startOnce }, 9);
  const dist = path.join(root, 'dist');
  const bundles = readdirSync(dist).filter(name => /\.c?js$/.test(name));
  const packages = readdirSync(root).filter(name => /\.(vsix|tgz)$/.test(name));
  const sizes = [...bundles.map(name => path.join(dist, name)), ...packages.map(name => path.join(root, name))];
  return [
    {
      work: 'server start to first diagnostics',
      ours: milliseconds(median.start),
      peer: '-',
      ratio: '-',
      bar: 'printed',
    },
    ...sizes.map(file => ({
      work: `size of ${path.basename(file)}`,
      ours: `${(statSync(file).size / 1000).toFixed(0)} kB`,
      peer: '-',
      ratio: '-',
      bar: 'npm run check',
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
