import { printable } from '../printable.ts';
import type { Style } from '../style.ts';
import { byteSize, dateAndTime } from '../words.ts';
import type { SessionRow } from './sessionRows.ts';

interface Column {
  readonly title: string;
  readonly right?: true;
  cell(row: SessionRow): string;
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', cell: ({ shown }) => printable(shown) },
  { title: 'AGENT', cell: ({ agent }) => printable(agent ?? '?') },
  { title: 'WHEN', cell: ({ when }) => dateAndTime(when) },
  { title: 'REQUESTS', right: true, cell: ({ log }) => String(log?.requests ?? '?') },
  { title: 'BLOCKS', cell: ({ log }) => blocksText(log?.blocks) },
  { title: 'SIZE', right: true, cell: ({ log }) => (log ? byteSize(log.bytes) : '?') },
  { title: 'LIVE', cell: ({ live }) => liveText(live) },
];

const FOLDER: Column = { title: 'FOLDER', cell: ({ cwd }) => printable(cwd ?? '?') };

/** A line for each session, those of this folder first; below one that cannot be read to its end, why. */
export function sessionTable(rows: readonly SessionRow[], style: Style): string {
  const here = rows.filter(row => row.here);
  const elsewhere = rows.filter(row => !row.here);
  const widths = COLUMNS.map(column => Math.max(...[column.title, ...rows.map(row => column.cell(row))].map(widthOf)));
  const sections = [
    { title: 'This folder', rows: here, columns: COLUMNS },
    { title: 'Other folders', rows: elsewhere, columns: [...COLUMNS, FOLDER] },
  ].filter(section => section.rows.length > 0);
  return sections
    .map(section =>
      [
        style('bold', section.title),
        style(
          'dim',
          lineOf(section.columns, widths, column => column.title),
        ),
        ...section.rows.flatMap(row => rowLines(row, section.columns, widths, style)),
        '',
      ].join('\n'),
    )
    .join('\n');
}

function rowLines(row: SessionRow, columns: readonly Column[], widths: readonly number[], style: Style): string[] {
  const line = lineOf(columns, widths, column => column.cell(row));
  const problem = row.log?.problem;
  return [
    row.live ? style('green', line) : line,
    ...(problem === undefined ? [] : [style('yellow', `    ${printable(problem)}`)]),
  ];
}

function lineOf(columns: readonly Column[], widths: readonly number[], text: (column: Column) => string): string {
  const cells = columns.map((column, index) => {
    const cell = text(column);
    const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)));
    return column.right ? blanks + cell : cell + blanks;
  });
  return `  ${cells.join('  ')}`.trimEnd();
}

function widthOf(text: string): number {
  return [...text].length;
}

function blocksText(blocks: { readonly active: number; readonly discarded: number } | undefined): string {
  return blocks ? `${blocks.active} active, ${blocks.discarded} discarded` : '?';
}

function liveText(live: SessionRow['live']): string {
  if (!live) {
    return '';
  }
  return live.pid === undefined ? printable(live.writer ?? 'yes') : `pid ${live.pid}`;
}
