import { commands, type Disposable } from 'vscode';
import { BUDGET_COMMANDS } from '../names.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import type { Given } from '../views/given.ts';
import { givenSession } from '../views/givenSession.ts';
import type { BudgetPanels } from './budgetPanels.ts';
import { rebasePrefix, setTask, updateConstraint } from './tier1Edits.ts';
import type { UsageReportDocuments } from './usageReportDocuments.ts';

/** Registers the commands about budgets. Each has an answer while no session is there. */
export function registerBudgetCommands(
  sessions: PanelSessions,
  panels: BudgetPanels,
  reports: UsageReportDocuments,
): readonly Disposable[] {
  const handlers: Readonly<Record<keyof typeof BUDGET_COMMANDS, (session: PanelSession) => unknown>> = {
    showBudget: session => panels.show(session),
    showUsageReport: session => reports.show(session),
    setTask,
    updateConstraint,
    rebasePrefix,
  };
  return Object.entries(BUDGET_COMMANDS).map(([name, id]) =>
    commands.registerCommand(id, async (given: Given) => {
      const { session } = await givenSession(given, sessions);
      return session && handlers[name as keyof typeof BUDGET_COMMANDS](session);
    }),
  );
}
