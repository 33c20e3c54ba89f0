import type { PanelSessions } from './sessionModel.ts';

/**
 * What welcome texts and menus ask for. `lost`: there is a last or past state to show and no connection; `none`: nothing is shown any
 * more.
 */
export type SessionsState = 'never' | 'connected' | 'lost' | 'none' | 'untrusted';

export function sessionsState({ all, isNew }: Pick<PanelSessions, 'all' | 'isNew'>, trusted: boolean): SessionsState {
  if (!trusted) {
    return 'untrusted';
  }
  if (all.some(({ link }) => link.kind === 'connected')) {
    return 'connected';
  }
  if (all.some(({ link }) => link.kind !== 'connecting')) {
    return 'lost';
  }
  return isNew ? 'never' : 'none';
}
