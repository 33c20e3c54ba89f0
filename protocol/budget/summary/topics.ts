import type { SummaryGroup } from './summarizer.ts';

/** tiers 4, rule 2: without anything else that tells topics apart, so many groups make one summary. */
const LONGEST_RUN = 10;

/** A line by which a person begins a task. */
const TASK_LINE = /^\s*(?:#{1,3}\s+)?(?:task|aufgabe|tâche|tarea|tarefa|задача|任务|任務|タスク|작업)\s*[:：#\d]/iu;

/**
 * Cuts groups that stand side by side into topics: a task that a person begins by name, then what the adapter says, then files
 * that neighbours share; else, and at most, runs of a fixed length. Their order stays.
 */
export function splitByTopic(groups: readonly SummaryGroup[]): readonly (readonly SummaryGroup[])[] {
  const topics: SummaryGroup[][] = [];
  let paths = new Set<string>();
  for (const group of groups) {
    const current = topics.at(-1);
    if (current && current.length < LONGEST_RUN && !beginsTopic(group, current, paths)) {
      current.push(group);
    } else {
      topics.push([group]);
      paths = new Set();
    }
    for (const path of group.paths) {
      paths.add(path);
    }
  }
  return topics;
}

function beginsTopic(group: SummaryGroup, current: readonly SummaryGroup[], paths: ReadonlySet<string>): boolean {
  if (taskOf(group) !== undefined || group.topic !== current.at(-1)?.topic) {
    return true;
  }
  // An answer goes with the question before it, whatever files it names.
  const asks = group.units.some(({ kind }) => kind === 'user');
  return asks && paths.size > 0 && group.paths.length > 0 && !group.paths.some(path => paths.has(path));
}

/** The first line by which one of the units begins a task; absent where none does. */
export function taskOf({ units }: SummaryGroup): string | undefined {
  for (const { kind, text } of units) {
    const [line = ''] = text.split(/[\n\r]/, 1);
    if (kind === 'user' && TASK_LINE.test(line)) {
      return line.trim();
    }
  }
  return undefined;
}
