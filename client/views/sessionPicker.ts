import { l10n, type QuickPickItem, ThemeIcon, window } from 'vscode';
import { tokensText } from '../../protocol/log/priceWords.ts';
import { withoutIcons } from '../session/plainWords.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { linkText, placeIn, sessionName, subAgentText } from './drawing.ts';
import { editorWording } from './editorWording.ts';
import { beside, bytesText } from './wording.ts';

/** Requests that a pick lists, the newest first. */
const LISTED = 200;

interface Item<Value> extends QuickPickItem {
  readonly value: Value;
}

/** The session that a command is about: the only one, else the one that a person chooses. Says so where there is none. */
export async function chooseSession(sessions: PanelSessions): Promise<PanelSession | undefined> {
  const [only, ...others] = sessions.all;
  if (!only) {
    void window.showInformationMessage(
      l10n.t('No session is shown in this window. Connect to a running one, or open the log of a past one.'),
    );
    return undefined;
  }
  if (others.length === 0) {
    return only;
  }
  const items = sessions.all.map(
    (value): Item<PanelSession> => ({
      label: withoutIcons(sessionName(value)),
      description: withoutIcons(
        beside([subAgentText(value, sessions.all, editorWording), linkText(value, editorWording)]),
      ),
      iconPath: new ThemeIcon('pulse'),
      value,
    }),
  );
  return (await window.showQuickPick(items, { title: l10n.t('Which Session?') }))?.value;
}

/** An active block of the session. */
export async function chooseActiveBlock(session: PanelSession, title: string): Promise<string | undefined> {
  const items = [...session.state.lifecycle.blocks.values()]
    .filter(({ status }) => status === 'active')
    .map(
      ({ id, activated: { source, line, bytes } }): Item<string> => ({
        label: withoutIcons(id),
        description: withoutIcons(beside([placeIn(session, source, line), bytesText(editorWording, bytes)])),
        iconPath: new ThemeIcon('symbol-namespace'),
        value: id,
      }),
    );
  if (items.length === 0) {
    void window.showInformationMessage(l10n.t('No block is active in this session.'));
    return undefined;
  }
  return (await window.showQuickPick(items, { title, matchOnDescription: true }))?.value;
}

/** A request of the session; `except` is left out. */
export async function chooseRequest(
  session: PanelSession,
  title: string,
  except?: number,
): Promise<number | undefined> {
  const { requests } = session.state;
  const items: Item<number>[] = [];
  for (let number = requests.length; number >= 1 && items.length < LISTED; number--) {
    const sealed = requests.get(number - 1)?.sealed;
    if (sealed && number !== except) {
      const tokens = sealed.sizes ? tokensText(editorWording, sealed.sizes.total) : '';
      items.push({
        label: l10n.t('Request {0}', number),
        description: beside([tokens, bytesText(editorWording, sealed.bytes), editorWording.time(sealed.time)]),
        iconPath: new ThemeIcon('arrow-up'),
        value: number,
      });
    }
  }
  if (items.length === 0) {
    void window.showInformationMessage(
      except === undefined
        ? l10n.t('This session has sent no request yet.')
        : l10n.t('This session has sent no other request yet.'),
    );
    return undefined;
  }
  return (await window.showQuickPick(items, { title, matchOnDescription: true }))?.value;
}
