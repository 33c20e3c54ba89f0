import { Disposable, l10n, type Uri } from 'vscode';
import { folders } from '../../local/folders.ts';
import type { RequestDocuments } from '../request/requestDocuments.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import type { ShownSessions } from '../views/sessionViews.ts';
import { registerBudgetCommands } from './budgetCommands.ts';
import { BudgetPanels } from './budgetPanels.ts';
import { UsageReportDocuments } from './usageReportDocuments.ts';

/** The tabs of budgets, the usage report, and the commands about the first tier. */
export function startBudget(
  extension: Uri,
  sessions: PanelSessions,
  views: ShownSessions,
  documents: RequestDocuments,
): Disposable {
  const panels = new BudgetPanels(extension, views, {
    openRequest: (session, request) => documents.show(session, request, 'text'),
    howToTurnOn,
  });
  const reports = new UsageReportDocuments(sessions, howToTurnOn);
  return Disposable.from(panels, reports, ...registerBudgetCommands(sessions, panels, reports));
}

function howToTurnOn(): string {
  try {
    return l10n.t(
      'To turn it on, write "budget": {"enabled": true} into {0} and start the agent anew.',
      folders().configFile,
    );
  } catch {
    return l10n.t('To turn it on, write "budget": {"enabled": true} into config.json and start the agent anew.');
  }
}
