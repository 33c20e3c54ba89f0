import { type Disposable, type Tab, window } from 'vscode';
import { setContextKey } from '../contextKeys.ts';

/**
 * The editor ticks a step when a context key changes after it has read the walkthrough, which it may do when that is opened first. So
 * that a session that was connected before counts too, a key is set while a walkthrough is open, each time anew.
 */
export function watchWalkthrough(isConnected: () => boolean): Disposable {
  return window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
    if (closed.some(isPage)) {
      setContextKey('contextLifecycle.session.read', undefined);
    }
    if (opened.some(isPage) && isConnected()) {
      setContextKey('contextLifecycle.session.read', true);
    }
  });
}

/** A page of the editor itself, such as a walkthrough, is a tab about which extensions are told nothing. */
function isPage({ input }: Tab): boolean {
  return input === undefined;
}
