import type { HandoffFile } from '../../protocol/budget/handoff/handoffFile.ts';
import type { DocumentChange, ResumePlan } from '../../protocol/budget/handoff/resumeHandoff.ts';
import { printable } from '../printable.ts';
import type { Style } from '../style.ts';
import { dateAndTime, listed } from '../words.ts';
import { type FileCheck, fileChecks } from './fileChecks.ts';

/** Of each list so many are shown. */
const MOST_SHOWN = 12;

/** A longer line is cut. */
const LONGEST = 300;

const CHANGES = ['same', 'changed', 'missing', 'unknown'] as const satisfies readonly DocumentChange['change'][];

/** What a new session takes over, for a person: every line escaped, and no list longer than a screen. */
export function resumeText(file: HandoffFile, plan: ResumePlan, style: Style): string {
  const rows: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['saved', [dateAndTime(file.created)]],
    ['task', taskLines(file)],
    ['history', [`${file.history.length} ${file.history.length === 1 ? 'summary' : 'summaries'}`]],
    ['blocks', blockLines(file)],
    ['documents', documentLines(plan.documents)],
    ['gaps', orNone(cut(plan.gaps))],
    ['checks', [...fileChecks(file).flatMap(checkLines), 'All else is checked with the first request.']],
  ];
  const head = style('bold', printable(clipped(`Session ${file.session}`)));
  return `${[head, ...rows.flatMap(([title, lines]) => rowLines(title, lines, style))].join('\n')}\n`;
}

function rowLines(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.map(
    (line, place) => `${style('bold', (place === 0 ? title : '').padEnd(9))}  ${printable(clipped(line))}`,
  );
}

function taskLines({ tier1, task_state: state, pending_actions: pending }: HandoffFile): readonly string[] {
  const { objective, constraints = [], overrides = [] } = tier1 ?? {};
  return [
    objective ?? 'nobody said what the session is about',
    ...cut(constraints.map(({ id, text }) => `constraint ${id}: ${text}`)),
    ...(overrides.length > 0 ? [`values that were replaced: ${overrides.length}`] : []),
    ...(Object.keys(state).length > 0 ? [`state of the task: ${JSON.stringify(state)}`] : []),
    ...cut(pending.map(action => `pending: ${typeof action === 'string' ? action : JSON.stringify(action)}`)),
  ];
}

function blockLines({ lifecycle: { blocks } }: HandoffFile): readonly string[] {
  return orNone(
    (['active', 'discarded'] as const).flatMap(status => {
      const ids = blocks.filter(block => block.status === status).map(({ blockId }) => blockId);
      return ids.length > 0 ? [`${status}: ${someOf(ids)}`] : [];
    }),
  );
}

function documentLines(documents: readonly DocumentChange[]): readonly string[] {
  return orNone(
    CHANGES.flatMap(change => {
      const names = documents.filter(document => document.change === change).map(({ document }) => document);
      return names.length > 0 ? [`${change}: ${someOf(names)}`] : [];
    }),
  );
}

function checkLines({ says, result, lines }: FileCheck): readonly string[] {
  const found = { ok: 'ok', contradiction: 'not so', 'not-evaluated': 'not evaluated' }[result];
  return [`${found}: ${says}`, ...cut(lines.map(line => `  will be struck: ${line}`))];
}

function someOf(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  return listed(more > 0 ? [...names.slice(0, MOST_SHOWN), `${more} more`] : names);
}

function cut(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_SHOWN;
  return more > 0 ? [...lines.slice(0, MOST_SHOWN), `${more} more`] : lines;
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ['none'];
}

function clipped(line: string): string {
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
