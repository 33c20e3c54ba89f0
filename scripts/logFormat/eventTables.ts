import { readFileSync } from 'node:fs';
import { handoffFile } from '../../protocol/budget/handoff/handoffFile.ts';
import { SOURCE_CLASSES } from '../../protocol/lifecycle/policy.ts';
import { amount, divergence, price } from '../../protocol/log/amounts.ts';
import { logHeader, sizes, usage, vocabulary } from '../../protocol/log/sessionEvents.ts';
import { isMessageType } from '../../protocol/request/messageTypes.ts';
import { type Maybe, oneOf, type Shape } from '../../protocol/shape.ts';
import { inRepository } from '../build/paths.ts';
import { shapeComments } from './comments.ts';

type Members = Readonly<Record<string, Shape<unknown> | Maybe<unknown>>>;

/** Shapes that several events have: they are described once, below the events. */
const NAMED = { amount, divergence, price, sizes, usage };

const comments = shapeComments(
  [
    'protocol/log/sessionEvents.ts',
    'protocol/log/amounts.ts',
    'protocol/lifecycle/lifecycleEvents.ts',
    'protocol/request/bodyPieces.ts',
    'protocol/budget/budgetEvents.ts',
    'protocol/budget/handoff/handoffFile.ts',
  ].map(path => readFileSync(inRepository(path), 'utf8')),
);

/** Where rows are made. */
interface Place {
  /** Of the shape among the comments. */
  readonly path: string;
  /** Before the names of its members. */
  readonly prefix: string;
  readonly page: string;
}

/** The members of the first line, as a table. */
export function headerTable(): string {
  return table(logHeader, 'logHeader');
}

/** The members of a handoff file, as a table for a page beside the one on logs. */
export function handoffTable(): string {
  return table(handoffFile, 'handoffFile', 'log-format.md');
}

/** A section for each event type, with what it means and its members. */
export function eventSections(): string {
  return Object.entries(vocabulary)
    .map(([type, shape]) => {
      const path = `vocabulary.${type}`;
      const message = isMessageType(type) ? ' It carries a message.' : '';
      return `### ${type}\n\n${comments.get(path) ?? ''}${message}\n\n${table(shape, path)}`;
    })
    .join('\n\n');
}

/** A section for each shape that events share. */
export function sharedSections(): string {
  return Object.entries(NAMED)
    .map(([name, shape]) => `### ${name}\n\n${table(shape, name)}`)
    .join('\n\n');
}

/** The classes of sources, as a list. */
export function sourceClasses(): string {
  return SOURCE_CLASSES.map(name => `- \`${name}\``).join('\n');
}

/** `page` is the one on logs, where the table stands on another. */
function table(shape: Shape<unknown>, path: string, page = ''): string {
  const rows = rowsOf(shape, { path, prefix: '', page });
  return rows.length === 0
    ? `Its data is ${shape.says}.`
    : ['| Member | Value | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A row for each member, and below it one for each of its own members, with their path from the data on. */
function rowsOf(shape: Shape<unknown>, place: Place): readonly string[] {
  const { path, prefix, page } = place;
  return Object.entries(membersOf(shape) ?? {}).flatMap(([name, member]) => {
    const inner = 'maybe' in member ? member.maybe : member;
    const value = 'maybe' in member ? `${valueOf(inner, page)}; may be absent` : valueOf(inner, page);
    const at = `${path}.${name}`;
    const cells = [`\`${prefix}${name}\``, value, comments.get(at) ?? ''].map(cell => cell.replaceAll('|', '\\|'));
    const row = `| ${cells.join(' | ')} |`.replace('|  |', '| |');
    if (nameOf(inner) !== undefined) {
      return [row];
    }
    const item = itemOf(inner);
    return item
      ? [row, ...rowsOf(item, { path: `${at}[]`, prefix: `${prefix}${name}[].`, page })]
      : [row, ...rowsOf(inner, { path: at, prefix: `${prefix}${name}.`, page })];
  });
}

function valueOf(shape: Shape<unknown>, page: string): string {
  if (shape.says === oneOf(...SOURCE_CLASSES).says) {
    return `a [source class](${page}#source-classes)`;
  }
  const name = nameOf(shape);
  return name === undefined ? shape.says : `[${name}](${page}#${name})`;
}

function nameOf(shape: Shape<unknown>): string | undefined {
  return Object.entries(NAMED).find(([, named]) => named === shape)?.[0];
}

function membersOf(shape: Shape<unknown>): Members | undefined {
  return 'members' in shape ? (shape.members as Members) : undefined;
}

function itemOf(shape: Shape<unknown>): Shape<unknown> | undefined {
  return 'item' in shape ? (shape.item as Shape<unknown>) : undefined;
}
