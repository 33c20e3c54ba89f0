import { l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { withoutIcons } from '../session/plainWords.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { type AuditFilter, auditTypes } from './auditRows.ts';
import { placeIn } from './drawing.ts';
import { editorWording } from './editorWording.ts';

/** Blocks and sources that are listed at most of each kind. */
const LISTED = 500;

interface Item extends QuickPickItem {
  readonly filter?: AuditFilter;
}

/** What the audit shall be narrowed to; absent when a person leaves it as it is. */
export async function chooseAuditFilter(sessions: PanelSessions): Promise<AuditFilter | undefined> {
  const blocks = new Set<string>();
  const sources = new Map<string, string>();
  for (const session of sessions.all) {
    for (const { blockId, source } of session.state.audit) {
      if (blockId !== undefined && blocks.size < LISTED) {
        blocks.add(blockId);
      }
      if (source !== undefined && sources.size < LISTED) {
        sources.set(source, placeIn(session, source));
      }
    }
  }
  const items: readonly Item[] = [
    { label: l10n.t('Everything'), filter: {} },
    divider(l10n.t('What happened')),
    ...auditTypes(editorWording).map(({ type, label }) => ({ label, filter: { type } })),
    divider(l10n.t('Block')),
    ...[...blocks].sort().map(blockId => ({ label: withoutIcons(blockId), filter: { blockId } })),
    divider(l10n.t('Source')),
    ...[...sources].map(([source, place]) => ({ label: withoutIcons(place), filter: { source } })),
  ];
  return (await window.showQuickPick(items, { title: l10n.t('Show in the Audit') }))?.filter;
}

function divider(label: string): Item {
  return { label, kind: QuickPickItemKind.Separator };
}
