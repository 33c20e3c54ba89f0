import { usageReport } from '../../protocol/budget/usageReport.ts';
import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { budgetStatus, compressionsText } from '../budget/budgetStatus.ts';
import { BUDGET_COMMANDS } from '../names.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { type Drawing, greyed } from './drawing.ts';
import type { Row } from './row.ts';
import type { MakeRow } from './sessionRows.ts';
import { beside, paragraphs } from './wording.ts';

const ICONS = { normal: 'dashboard', warning: 'warning', error: 'error' } as const;
const COLORS = {
  normal: undefined,
  warning: 'problemsWarningIcon.foreground',
  error: 'problemsErrorIcon.foreground',
} as const;

/** How full the window is, which opens the budget; no row where the layer measured nothing. */
export function budgetRow(session: PanelSession, { wording }: Drawing, row: MakeRow): readonly Row[] {
  const report = usageReport(session.state);
  if (!report) {
    return [];
  }
  const { say } = wording;
  const { total, compressions, limits } = report;
  const { level, reason } = budgetStatus(report, session.state);
  const share = say(sentence('{0}% of {1}', total.percent, grouped(limits.window.tokens)));
  const description = beside([share, say(compressionsText(compressions))]);
  const label = say(sentence('Budget'));
  const why = reason ? `${say(reason)}.` : '';
  return [
    row('budget', label, description, ICONS[level], {
      tooltip: paragraphs([`${label}: ${description}`, why, say(sentence('A click opens it.'))]),
      ...greyed(session, COLORS[level]),
      spoken: [`${label}: ${description}.`, why].filter(part => part !== '').join(' '),
      command: {
        command: BUDGET_COMMANDS.showBudget,
        title: say(sentence('Show Budget')),
        arguments: [{ session: session.key }],
      },
      about: { session: session.key },
    }),
  ];
}
