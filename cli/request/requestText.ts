import { countText, grouped } from '../../protocol/log/countText.ts';
import type { EventData, Sizes } from '../../protocol/log/sessionEvents.ts';
import { isJsonObject, type Json, type JsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { messageTitle, toolTitle } from '../../protocol/request/partTitles.ts';
import { readableLines } from '../../protocol/request/readableLines.ts';
import type { SealedRequest } from '../../protocol/request/sealer.ts';
import type { SurfaceEntry } from '../../protocol/request/surfaceEntry.ts';
import { utf8Length } from '../../protocol/utf8Length.ts';
import { printable, printableLine } from '../printable.ts';
import { eventLine, type KnownFolders } from '../session/eventLine.ts';
import type { Style } from '../style.ts';
import { amount, byteSize, dateAndTime } from '../words.ts';
import type { LoggedRequest } from './loggedRequest.ts';

export interface ShownRequest {
  /** What to type for the session. */
  readonly session: string;
  readonly folders: KnownFolders;
  readonly request: SealedRequest;
  readonly logged: LoggedRequest;
  /** Those of its messages that stand behind the prefix, in order. */
  readonly entries: readonly SurfaceEntry[];
  readonly events: readonly LogEvent[];
  /** False where hashes stand for content. */
  readonly hasContent: boolean;
}

/** In the order in which they stand in a request. */
export const REQUEST_PARTS = ['config', 'system', 'tools', 'prefix', 'messages'] as const;

export type RequestPart = (typeof REQUEST_PARTS)[number];

/**
 * A request for people: what is known of it, then each of these parts with its size and what it holds, every line escaped. A part that
 * was asked for and is not there says so.
 */
export function requestText(shown: ShownRequest, style: Style, asked?: readonly RequestPart[]): string {
  const { config, system, tools, messages } = shown.request;
  const prefixLength = messages.length - shown.entries.length;
  const parts: Readonly<Record<RequestPart, () => readonly string[]>> = {
    config: () => partLines('config', sizeOf(config), config, style),
    system: () => (system === undefined ? [] : partLines('system', sizeOf(system), system, style)),
    tools: () => (tools === undefined ? [] : listPart('tools', tools, toolTitle, style)),
    prefix: () => listPart('prefix', messages.slice(0, prefixLength), messageTitle, style),
    messages: () =>
      listPart('messages', messages.slice(prefixLength), messageTitle, style, index => noteOf(shown.entries[index])),
  };
  const shownParts = REQUEST_PARTS.filter(part => asked?.includes(part) ?? true).map(part => {
    const lines = parts[part]();
    return lines.length === 0 && asked ? ['', `${style('bold', part)}  ${style('dim', 'none')}`] : lines;
  });
  return `${[...headLines(shown, style), ...shownParts.flat()].join('\n')}\n`;
}

function headLines({ session, folders, logged, events, hasContent }: ShownRequest, style: Style): readonly string[] {
  const { event, sealed, turn, step } = logged;
  const place = turn === undefined || step === undefined ? '' : `, turn ${turn}, step ${step}`;
  const causes = [...new Set(sealed.changes.flatMap(change => change.causes))];
  return [
    style('bold', `Request ${sealed.requestSequence} of session ${printable(session)}`),
    `sealed   ${dateAndTime(event.time)}, #${event.seq}${place}`,
    `sha256   ${sealed.hash}`,
    `size     ${grouped(sealed.bytes)} bytes, ${amount(sealed.messages, 'message')}`,
    ...(sealed.sizes ? [`tokens   ${tokensText(sealed.sizes)}`] : []),
    ...(logged.body ? [`body     ${bodyText(logged.body)}`] : []),
    `answer   ${answerText(logged.ended)}`,
    `receipt  ${receiptText(logged.receipt)}`,
    ...causes.map((seq, index) => `${index === 0 ? 'changed' : '       '}  ${causeText(seq, events, folders)}`),
    ...(hasContent ? [] : [style('yellow', 'This log holds hashes in place of content.')]),
  ];
}

function bodyText({ bytes, sha256, encoding }: EventData<'request/body'>): string {
  return `${grouped(bytes)} bytes${encoding === undefined ? '' : `, ${printable(encoding)}`}, sha256 ${sha256}`;
}

function causeText(seq: number, events: readonly LogEvent[], folders: KnownFolders): string {
  const event = events[seq];
  return event ? eventLine(event, folders) : `#${seq}`;
}

function answerText(ended: EventData<'step/end'> | undefined): string {
  if (!ended) {
    return 'none yet';
  }
  const used = Object.entries(ended.usage ?? {}).map(([name, tokens]) => `${inWords(name)} ${grouped(tokens)}`);
  return `${ended.outcome ?? 'ended'}${used.length === 0 ? '' : ` (tokens: ${used.join(', ')})`}`;
}

/** `cacheRead` is "cache read". */
function inWords(name: string): string {
  return printable(name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`));
}

function receiptText(receipt: EventData<'request/receipt'> | undefined): string {
  if (!receipt) {
    return 'none yet';
  }
  return receipt.evidence === undefined ? receipt.result : `${receipt.result}: ${printable(receipt.evidence)}`;
}

function tokensText({ total, ...parts }: Sizes): string {
  const shown = Object.entries(parts).map(([name, part]) => `${name} ${countText(part)}`);
  return `${countText(total)} (${shown.join(', ')})`;
}

function partLines(name: string, size: string, value: Json, style: Style): readonly string[] {
  return ['', `${style('bold', name)}  ${style('dim', size)}`, ...bodyLines(value, '  ')];
}

function listPart<Item extends Json>(
  name: string,
  items: readonly Item[],
  titleOf: (item: Item) => string,
  style: Style,
  note: (index: number) => string = () => '',
): readonly string[] {
  if (items.length === 0) {
    return [];
  }
  return [
    '',
    `${style('bold', name)}  ${style('dim', `${items.length}, ${sizeOf(items)}`)}`,
    ...items.flatMap((item, index) => [
      `  ${style('cyan', `[${index + 1}] ${printable(titleOf(item))}`)}  ${style('dim', `${sizeOf(item)}${note(index)}`)}`,
      ...bodyLines(item, '      '),
    ]),
  ];
}

function bodyLines(value: Json, indentation: string): readonly string[] {
  return readableLines(value).map(line => (line === '' ? '' : `${indentation}${printableLine(line)}`));
}

/** Of the JSON text. */
export function sizeOf(value: Json): string {
  return byteSize(utf8Length(JSON.stringify(value)));
}

/** Where a message comes from. */
export function noteOf(entry: SurfaceEntry | undefined): string {
  if (!entry) {
    return '';
  }
  const { cause, channel, source } = isJsonObject(entry.event.data) ? entry.event.data : ({} as JsonObject);
  const notes = [`#${entry.seq}`, ...[cause, channel, source].filter(part => typeof part === 'string')];
  return `, ${printable(notes.join(', '))}`;
}
