import { l10n, window } from 'vscode';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { type Given, subjectOf } from './given.ts';
import type { RowSubject } from './row.ts';
import { chooseSession } from './sessionPicker.ts';

/** What a command is about; the session is absent where a person chose none, or was told why there is none. */
export interface GivenSession {
  readonly session: PanelSession | undefined;
  readonly about: Partial<RowSubject>;
}

/** The session that a command was given, or the one that a person chooses. */
export async function givenSession(given: Given, sessions: PanelSessions): Promise<GivenSession> {
  const about = subjectOf(given, sessions);
  if (about.session === undefined) {
    return { session: await chooseSession(sessions), about };
  }
  const session = sessions.all.find(({ key }) => key === about.session);
  if (!session) {
    // A thing of it may have its like in another session, which is not meant.
    void window.showInformationMessage(l10n.t('This session is not shown in this window any more.'));
  }
  return { session, about };
}
