import type { BudgetDemoResult } from '../adapter/demo/budget/runBudgetDemo.ts';
import type { DemoResult } from '../adapter/demo/demoOptions.ts';
import { ownCommand } from './command.ts';
import type { Style } from './style.ts';

/** What a person reads last: where the session is, and commands that look at it. */
export function demoEnding(result: DemoResult | BudgetDemoResult, style: Style): string {
  const { sessionId, logFile, requests } = result;
  const command = ownCommand();
  const tries = [
    'sessions',
    `log ${sessionId} --type ${'constraints' in result ? 'budget' : 'block,discard,ephemeral'}`,
    `show ${sessionId} 1 --format text`,
    ...(requests >= 7 ? [`diff ${sessionId} 1 7`] : []),
    ...(requests > 0 ? [`report ${sessionId}`] : []),
  ];
  return [
    '',
    ...('constraints' in result ? budgetLines(result, style) : []),
    style('bold', `Session ${sessionId}: ${requests} requests, all in ${logFile}`),
    'Look at it:',
    ...tries.map(words => style('green', `  ${command} ${words}`)),
    '',
  ].join('\n');
}

function budgetLines({ report, constraints }: BudgetDemoResult, style: Style): readonly string[] {
  const { kept, all } = constraints;
  return report
    ? [
        report.text,
        '',
        style('bold', `Compressions: ${report.compressions}`),
        style('bold', `Constraints in the last request, to the character: ${kept} of ${all}`),
        '',
      ]
    : [];
}
