import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DECLARED_BLOCKS_REQUEST, type DeclaredBlocks } from '../../protocol/lifecycle/editorRequests.ts';
import { writeTree } from './corpus.ts';
import { median, milliseconds, type Row, root, times } from './measure.ts';
import { startStdioServer } from './stdioServer.ts';

const FILES = 10_000;
const BYTES = 100_000_000;
const ROUNDS = 7;
/** Milliseconds between an answer and the next question. */
const PAUSE = 10;

/** DESIGN (Speed), row 3: every context source of a large tree, and whether typing waits meanwhile. */
export async function indexTree(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'context-lifecycle-bench-'));
  try {
    writeTree(folder, FILES, BYTES);
    const ours: number[] = [];
    const grep: number[] = [];
    const longestWaits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push((await indexOnce(folder, false)).time);
      const start = performance.now();
      spawnSync('grep', ['-rl', '<!--', folder]);
      grep.push(performance.now() - start);
      longestWaits.push((await indexOnce(folder, true)).longestWait);
    }
    const ratio = median(ours) / median(grep);
    return [
      {
        work: `index ${FILES} files, ${BYTES / 1e6} MB`,
        ours: milliseconds(median(ours)),
        peer: `grep -rl ${milliseconds(median(grep))}`,
        ratio: times(ratio),
        bar: '<= 4x',
        met: ratio <= 4,
      },
      {
        work: 'longest wait for a hover meanwhile',
        ours: milliseconds(median(longestWaits)),
        peer: '-',
        ratio: '-',
        bar: 'printed',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time from `initialized` to the complete index, and the longest answer time of a hover, asked for as a hand moves. */
async function indexOnce(folder: string, hovering: boolean): Promise<{ time: number; longestWait: number }> {
  const server = await startStdioServer(path.join(root, 'dist/server.js'), pathToFileURL(folder).href);
  const start = performance.now();
  const uri = 'untitled:note.md';
  await server.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'markdown', version: 1, text: '<!--ephemeral-->\n' },
  });
  let time: number | undefined;
  // Asked for again and again: the server gathers changes for a quarter of a second before it tells of them.
  const complete = (async (): Promise<void> => {
    while (!(await server.connection.sendRequest<DeclaredBlocks>(DECLARED_BLOCKS_REQUEST)).complete) {
      await setTimeout(PAUSE);
    }
    time = performance.now() - start;
  })();
  let longestWait = 0;
  while (hovering && time === undefined) {
    const asked = performance.now();
    await server.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 0, character: 5 },
    });
    longestWait = Math.max(longestWait, performance.now() - asked);
    await setTimeout(PAUSE);
  }
  await complete;
  await server.stop();
  return { time: time ?? Number.NaN, longestWait };
}
