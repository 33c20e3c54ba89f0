import type {
  DeclaredBlock,
  DeclaredBlockState,
  DeclaredFolder,
  DeclaredSource,
} from '../../protocol/lifecycle/editorRequests.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import { shown } from './wording.ts';

/** A place that a row leads to; the line counts from 0. */
export interface RowPlace {
  readonly uri: string;
  readonly line: number;
}

/** A sentence of ours, or text that is shown as it stands: a name, a path, what the server wrote. */
export type Words = Message | string;

/** What one row of the tree shows, as data. */
export interface Row {
  readonly kind: 'folder' | 'source' | 'block';
  readonly label: string;
  /** Shown after the label, with dots between. */
  readonly description: readonly Words[];
  /** Paragraphs. */
  readonly tooltip: readonly Words[];
  /** Whole sentences for a screen reader. */
  readonly spoken: readonly Words[];
  /** Absent where the file icon of `place` stands for the row. */
  readonly icon: { readonly id: string; readonly color?: string } | undefined;
  /** Absent for a folder. */
  readonly place: RowPlace | undefined;
  /** Only for a block in conflict. */
  readonly winner: RowPlace | undefined;
}

/** A file may have any name: it stays one line that hides nothing. */
const LONGEST_PATH = 1_000;

/** The shape of the icon tells the state as well as its colour does, and the words tell it without either. */
const STATE_ICONS: Readonly<Record<DeclaredBlockState, NonNullable<Row['icon']>>> = {
  valid: { id: 'pass', color: 'testing.iconPassed' },
  invalid: { id: 'error', color: 'problemsErrorIcon.foreground' },
  conflict: { id: 'warning', color: 'problemsWarningIcon.foreground' },
};

const STATE_WORDS: Readonly<Record<DeclaredBlockState, readonly Message[]>> = {
  valid: [],
  invalid: [{ template: 'invalid', values: [] }],
  conflict: [{ template: 'conflict', values: [] }],
};

const STATE_SENTENCES: Readonly<Record<DeclaredBlockState, string>> = {
  valid: "Block '{0}' is valid.",
  invalid: "Block '{0}' is invalid.",
  conflict: "Block '{0}' is in conflict: another definition wins.",
};

export function folderRow(folder: DeclaredFolder): Row {
  const sources = countOf(folder.sources.length, '1 source', '{0} sources');
  const name = shown(folder.name);
  return {
    kind: 'folder',
    label: name,
    description: [sources],
    tooltip: [name, sources],
    spoken: [
      { template: 'Folder {0}.', values: [name] },
      countOf(folder.sources.length, 'It has 1 source.', 'It has {0} sources.'),
    ],
    icon: { id: 'root-folder' },
    place: undefined,
    winner: undefined,
  };
}

/** `number` is the place in the load order, from 1, and `count` how many sources there are. */
export function sourceRow(source: DeclaredSource, number: number, count: number): Row {
  const path = shown(source.path, LONGEST_PATH);
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const folder = slash < 0 ? [] : [path.slice(0, slash)];
  const problems = countOf(source.problemCount, '1 problem', '{0} problems');
  const blocks = countOf(source.blocks.length, '1 block', '{0} blocks');
  const order: Message = {
    template: 'Number {0} of {1} in load order. Where two sources define a block, the earlier one wins.',
    values: [String(number), String(count)],
  };
  return {
    kind: 'source',
    label: name,
    // a narrow sidebar cuts the end off, and the folder is in the tooltip too
    description: [...(source.problemCount === 0 ? [] : [problems]), ...folder],
    tooltip: [path, order, blocks, problems],
    spoken: [
      { template: 'Source {0} is number {1} in load order.', values: [path, String(number)] },
      countOf(source.blocks.length, 'It declares 1 block.', 'It declares {0} blocks.'),
      countOf(source.problemCount, 'It has 1 problem.', 'It has {0} problems.'),
    ],
    icon: undefined,
    place: { uri: source.uri, line: 0 },
    winner: undefined,
  };
}

/** `pathOf` gives the path that a winner's URI is shown by. */
export function blockRow(block: DeclaredBlock, source: DeclaredSource, pathOf: (uri: string) => string): Row {
  const path = shown(source.path, LONGEST_PATH);
  const line: Message = { template: 'line {0}', values: [String(block.line + 1)] };
  // A block that is never closed has no size.
  const lines = block.endLine === block.line ? undefined : block.endLine - block.line - 1;
  const size = lines === undefined ? [] : [countOf(lines, '1 line', '{0} lines')];
  const sentence: Message = { template: STATE_SENTENCES[block.state], values: [block.id] };
  // The place of the winner says more than the reason does.
  const why = block.reason && !block.winner ? [block.reason] : [];
  const winner: Message[] = block.winner
    ? [
        {
          template: 'The definition that wins: {0}, line {1}.',
          values: [shown(pathOf(block.winner.uri), LONGEST_PATH), String(block.winner.line + 1)],
        },
      ]
    : [];
  const place: Message = { template: '{0}, line {1}.', values: [path, String(block.line + 1)] };
  return {
    kind: 'block',
    label: block.id,
    description: [...STATE_WORDS[block.state], line, ...size],
    tooltip: [sentence, ...why, ...winner, place, ...size],
    spoken: [
      sentence,
      ...why,
      ...winner,
      { template: 'It starts in {0}, line {1}.', values: [path, String(block.line + 1)] },
      ...(lines === undefined ? [] : [countOf(lines, 'It holds 1 line.', 'It holds {0} lines.')]),
    ],
    icon: STATE_ICONS[block.state],
    place: { uri: source.uri, line: block.line },
    winner: block.winner,
  };
}

function countOf(count: number, one: string, many: string): Message {
  return count === 1 ? { template: one, values: [] } : { template: many, values: [String(count)] };
}
