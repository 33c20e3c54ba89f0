import { l10n, type QuickPickItem, ThemeIcon, Uri, window } from 'vscode';
import type { FoundAnnouncement } from '../../local/announcements.ts';
import { type ListedLog, listLogs } from '../../local/listLogs.ts';
import { bytesText, type Wording } from '../views/wording.ts';
import { withoutIcons } from './plainWords.ts';
import type { PanelSession } from './sessionModel.ts';

interface Item<Value> extends QuickPickItem {
  readonly value: Value;
}

/** Lets a person choose among announced sessions; `isAttached` says of which the panel knows already. */
export async function pickFound(
  found: readonly FoundAnnouncement[],
  isAttached: (id: string) => boolean,
): Promise<FoundAnnouncement | undefined> {
  const items = found.map(
    (value): Item<FoundAnnouncement> => ({
      ...named(value.agent, value.session),
      iconPath: new ThemeIcon(isAttached(value.session) ? 'debug-connected' : 'pulse'),
      detail: withoutIcons(value.cwd ?? l10n.t('It does not say where it works.')),
      value,
    }),
  );
  return pick(items, l10n.t('Connect'), l10n.t('A running session; those of this workspace come first'));
}

export async function pickSession(sessions: readonly PanelSession[], title: string): Promise<PanelSession | undefined> {
  const items = sessions.map(
    (value): Item<PanelSession> => ({
      ...named(value.header.agent, value.header.id),
      iconPath: new ThemeIcon('pulse'),
      value,
    }),
  );
  return pick(items, title, l10n.t('A session'));
}

/** The logs that can be read, the last written first. */
export async function readableLogs(folder: string): Promise<readonly ListedLog[]> {
  return (await listLogs(folder)).filter(({ header }) => header !== undefined);
}

export async function pickLog(
  logs: readonly ListedLog[],
  wording: Wording,
  title: string,
): Promise<ListedLog | undefined> {
  const items = logs.map((value): Item<ListedLog> => {
    const written = l10n.t('{0}, last written {1}', bytesText(wording, value.size), wording.time(value.modified));
    return {
      ...named(value.header?.agent ?? '', value.header?.id ?? value.name),
      iconPath: new ThemeIcon('history'),
      detail: [withoutIcons(value.header?.cwd ?? ''), written, ...(value.writer ? [l10n.t('being written')] : [])]
        .filter(part => part !== '')
        .join(' · '),
      value,
    };
  });
  return pick(items, title, l10n.t('The log of a session, the last written first'));
}

/** A log that lies somewhere else. */
export async function browseForLog(folder: string): Promise<string | undefined> {
  const [chosen] =
    (await window.showOpenDialog({
      title: l10n.t('Open Session Log'),
      defaultUri: Uri.file(folder),
      filters: { [l10n.t('Session logs')]: ['jsonl'] },
    })) ?? [];
  return chosen?.scheme === 'file' ? chosen.fsPath : undefined;
}

function named(agent: string, id: string): { label: string; description: string } {
  return { label: withoutIcons(agent), description: withoutIcons(id) };
}

async function pick<Value>(
  items: readonly Item<Value>[],
  title: string,
  placeHolder: string,
): Promise<Value | undefined> {
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await window.showQuickPick(items, options))?.value;
}
