import type { Json } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { messageTitle } from '../../protocol/request/partTitles.ts';
import { readableLines } from '../../protocol/request/readableLines.ts';
import { printable, printableLine } from '../printable.ts';
import { eventLine, type KnownFolders } from '../session/eventLine.ts';
import type { Style } from '../style.ts';
import { amount, byteSize } from '../words.ts';
import type { Hunk } from './lineDiff.ts';
import type { MessageChange, PlacedEntry } from './messageChanges.ts';
import type { PartDiff, RequestDiff, Side } from './requestDiff.ts';
import { noteOf, sizeOf } from './requestText.ts';

/** Of a message that was only added, so many lines are shown; `--full` shows all. */
const FIRST_LINES = 12;

export interface DiffTextOptions {
  /** What to type for the session. */
  readonly session: string;
  readonly folders: KnownFolders;
  readonly full: boolean;
  readonly style: Style;
}

/** For people: each part that differs, in hunks with their causes, every line escaped. */
export function diffText(diff: RequestDiff, a: Side, b: Side, options: DiffTextOptions): string {
  const { style } = options;
  const [from, to] = [a, b].map(({ logged }) => logged.sealed);
  if (!from || !to) {
    return '';
  }
  const head = [
    style('bold', `Session ${printable(options.session)}, request ${from.requestSequence} → ${to.requestSequence}`),
    style('red', `--- request ${from.requestSequence}  ${byteSize(from.bytes)}, sha256 ${from.hash}`),
    style('green', `+++ request ${to.requestSequence}  ${byteSize(to.bytes)}, sha256 ${to.hash}`),
  ];
  const parts = diff.parts.filter(({ before, after }) => before !== undefined || after !== undefined);
  const lines = [...head, ...parts.flatMap(part => partLines(part, options)), ...messageLines(diff, options)];
  return `${lines.join('\n')}\n`;
}

function partLines({ part, before, after, hunks }: PartDiff, options: DiffTextOptions): readonly string[] {
  const { style } = options;
  const title = style('bold', part);
  if (hunks.length === 0) {
    return ['', `${title}  ${style('dim', `the same, ${sizeText(after)}`)}`];
  }
  return [
    '',
    `${title}  ${style('dim', `${sizeText(before)} → ${sizeText(after)}`)}`,
    ...hunks.flatMap(hunk => [...hunkLines(hunk, style), ...causeLines(hunk.causes, options)]),
  ];
}

function messageLines({ messages, unchanged }: RequestDiff, options: DiffTextOptions): readonly string[] {
  const { style } = options;
  const changed = messages.filter(({ before, after }) => before && after).length;
  const gone = messages.filter(({ after }) => !after).length;
  const added = messages.length - changed - gone;
  const counts = [
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(gone > 0 ? [`${gone} gone`] : []),
    ...(added > 0 ? [`${added} added`] : []),
    messages.length > 0 ? `${unchanged} the same` : `the same, ${amount(unchanged, 'message')}`,
  ];
  return [
    '',
    `${style('bold', 'messages')}  ${style('dim', counts.join(', '))}`,
    ...messages.flatMap(change => changeLines(change, options)),
  ];
}

function changeLines(change: MessageChange, options: DiffTextOptions): readonly string[] {
  const { style } = options;
  const { before, after, hunks, causes } = change;
  if (before && after) {
    const places = before.place === after.place ? `[${after.place}]` : `[${before.place}] → [${after.place}]`;
    return [
      `  ${style('cyan', `${places} ${titleOf(after)}`)}  ${style('dim', `${sizeOfEntry(before)} → ${sizeOfEntry(after)}${noteOf(after.entry)}`)}`,
      ...hunks.flatMap(hunk => hunkLines(hunk, style)),
      ...causeLines(causes, options),
    ];
  }
  const only = before ?? after;
  return only
    ? [
        `  ${style('cyan', `[${only.place}] ${titleOf(only)}`)}  ${style('dim', `${sizeOfEntry(only)}${noteOf(only.entry)}`)}`,
        ...wholeLines(only, before ? '-' : '+', options),
        ...causeLines(causes, options),
      ]
    : [];
}

/** A message that stands on one side only. */
function wholeLines({ entry }: PlacedEntry, sign: '-' | '+', { full, style }: DiffTextOptions): readonly string[] {
  const lines = readableLines(entry.message ?? null);
  // One more line takes as much room as saying that there is one.
  const shown = full || lines.length <= FIRST_LINES + 1 ? lines : lines.slice(0, FIRST_LINES);
  const more = lines.length - shown.length;
  return [
    ...shown.map(line => changedLine(`${sign}${line}`, style)),
    ...(more > 0 ? [style('dim', `    … ${amount(more, 'more line')}; --full shows all`)] : []),
  ];
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk, style: Style): readonly string[] {
  return [
    style('cyan', `  @@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...lines.map(line => changedLine(line, style)),
  ];
}

function changedLine(line: string, style: Style): string {
  const shown = `  ${line.slice(0, 1)} ${printableLine(line.slice(1))}`;
  if (line.startsWith(' ')) {
    return shown.trimEnd();
  }
  return style(line.startsWith('-') ? 'red' : 'green', shown);
}

function causeLines(causes: readonly LogEvent[], { folders, style }: DiffTextOptions): readonly string[] {
  return causes.map(event => style('yellow', `    because of ${eventLine(event, folders)}`));
}

function titleOf({ entry }: PlacedEntry): string {
  return printable(messageTitle(entry.message ?? {}));
}

function sizeOfEntry({ entry }: PlacedEntry): string {
  return sizeOf(entry.message ?? null);
}

function sizeText(value: Json | undefined): string {
  return value === undefined ? 'nothing' : sizeOf(value);
}
