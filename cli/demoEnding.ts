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
    `log ${sessionId} --type ${'constraints' in result ? 'budget/pass,budget/edit' : 'block,discard,ephemeral'}`,
    ...lookingAt(result).map(([command, numbers]) => `${command} ${sessionId} ${numbers}`),
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

/** Of the long session its first compression, of the other one what its phases change. */
function lookingAt(result: DemoResult | BudgetDemoResult): readonly (readonly [command: string, numbers: string])[] {
  const compressed = 'compressed' in result ? result.compressed : undefined;
  if (compressed !== undefined) {
    return [
      ['show', `${compressed} --format text`],
      ['diff', `${compressed - 1} ${compressed}`],
    ];
  }
  return [['show', '1 --format text'], ...(result.requests >= 7 ? ([['diff', '1 7']] as const) : [])];
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
