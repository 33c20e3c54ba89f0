import { l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { withoutIcons } from '../session/plainWords.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { auditChoices } from './auditChoices.ts';
import { type AuditFilter, filterText } from './auditRows.ts';
import { editorWording } from './editorWording.ts';

interface Item extends QuickPickItem {
  readonly filter?: AuditFilter;
}

/** What the audit shall be narrowed to, starting from what it is now; absent when a person leaves it as it is. */
export async function chooseAuditFilter(
  sessions: PanelSessions,
  filter: AuditFilter,
): Promise<AuditFilter | undefined> {
  const items: readonly Item[] = [
    { label: l10n.t('Everything'), filter: {} },
    ...auditChoices(sessions, filter, editorWording).flatMap(({ title, choices }) => [
      { label: title, kind: QuickPickItemKind.Separator },
      ...choices.map(({ label, isOn, filter }) => ({
        label: withoutIcons(label),
        filter,
        ...(isOn && { description: l10n.t('on: a choice takes it off') }),
      })),
    ]),
  ];
  const now = filterText(filter, editorWording);
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Show in the Audit'),
    ...(now !== '' && { placeHolder: l10n.t('Only: {0}. A choice adds to this.', now) }),
  });
  return picked?.filter;
}
