/** `npm run bench`: the speed table of DESIGN, each row with its bar. Prints, and fails only when a row cannot run. */
import { build } from '../../scripts/build.ts';
import { appendLog } from './appendLog.ts';
import { countTokens } from './countTokens.ts';
import { foldState } from './foldState.ts';
import { gatewayCall } from './gatewayCall.ts';
import { gatewayHeap } from './gatewayHeap.ts';
import { gatewayStreams } from './gatewayStreams.ts';
import { indexTree } from './indexTree.ts';
import { keystroke } from './keystroke.ts';
import { marksRows } from './marksRows.ts';
import type { Row } from './measure.ts';
import { panelRows } from './panelRows.ts';
import { parseCorpus } from './parseCorpus.ts';
import { planRequest } from './planRequest.ts';
import { rebuildRequest } from './rebuildRequest.ts';
import { requestView } from './requestView.ts';
import { startAndSizes } from './startAndSizes.ts';

const PARTS = [
  parseCorpus,
  keystroke,
  indexTree,
  requestView,
  planRequest,
  gatewayCall,
  gatewayStreams,
  gatewayHeap,
  rebuildRequest,
  foldState,
  appendLog,
  countTokens,
  marksRows,
  panelRows,
  startAndSizes,
];

await build();
const rows: Row[] = [];
for (const part of PARTS) {
  rows.push(...(await part()));
}
const header: Row = { work: 'work', ours: 'ours', peer: 'peer', ratio: 'ratio', bar: 'bar' };
const cells = [header, ...rows].map(row => [row.work, row.ours, row.peer, row.ratio, row.bar, verdict(row)]);
const widths = cells[0]?.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0))) ?? [];
for (const line of cells) {
  process.stdout.write(
    `${line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );
}

function verdict(row: Row): string {
  return row.met === undefined ? '' : row.met ? 'met' : 'SHORT OF ITS BAR';
}
