import {
  commands,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  l10n,
  window,
  workspace,
} from 'vscode';
import { type Folders, folders } from '../../local/folders.ts';
import { listLogs } from '../../local/listLogs.ts';
import { connectToSession } from '../../local/sessionConnection.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import { setContextKey } from '../contextKeys.ts';
import { SECTION } from '../names.ts';
import { say } from '../text.ts';
import { editorWording } from '../views/editorWording.ts';
import { Demo } from './demo.ts';
import { registerSessionCommands } from './sessionCommands.ts';
import { isGone, SessionFinder } from './sessionFinder.ts';
import type { PanelSessions } from './sessionModel.ts';
import { type Notice, SessionNotices } from './sessionNotices.ts';
import { type Remembered, SessionRegistry } from './sessionRegistry.ts';
import { sessionsState } from './sessionsState.ts';
import { SessionStatusBar, SHOW_SIDEBAR } from './statusBar.ts';
import { watchWalkthrough } from './walkthroughStep.ts';

/** The sessions of this window, and what ends them. */
export interface StartedSessions {
  readonly sessions: PanelSessions;
  dispose(): void;
}

const MEMORY = 'contextLifecycle.sessions';
const NOTHING: Remembered = { attached: [] };

/** Finds sessions, attaches to them, and shows in status bar and notifications what has to be shown outside of any view. */
export function startSessions(context: ExtensionContext, log: LogOutputChannel): StartedSessions {
  const places = foldersOrNone(log);
  let finder: SessionFinder | undefined;
  let shownState: string | undefined;
  const notices = new SessionNotices(notice => void show(notice));
  const registry = new SessionRegistry({
    connect: connectToSession,
    isGone,
    findLog: header => findLog(places, header),
    now: Date.now,
    events: (session, events) => {
      notices.events(session, events).catch((error: unknown) => log.error(String(error)));
    },
    refused: (session, sentence) => notices.refused(session, sentence),
    workspaceFolders: () =>
      (workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? uri.fsPath : [])),
    autoAttach: () => workspace.getConfiguration(SECTION).get('session.autoAttach', true),
    remembered: context.workspaceState.get<Remembered>(MEMORY, NOTHING),
    remember: remembered => void context.workspaceState.update(MEMORY, remembered),
    failed: error => log.error(error instanceof Error ? error : String(error)),
  });
  const demo = new Demo(context.asAbsolutePath('dist/cli.js'), registry);
  const disposables: Disposable[] = [
    ...registerSessionCommands({
      registry,
      finder: () => finder,
      logs: places?.sessions ?? '',
      demo,
      wording: editorWording,
    }),
    new SessionStatusBar(registry, editorWording),
    registry.onChange(showState),
    watchWalkthrough(() => shownState === 'connected'),
    workspace.onDidGrantWorkspaceTrust(lookForSessions),
    workspace.onDidChangeWorkspaceFolders(() => registry.reconsider()),
    workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(`${SECTION}.session.autoAttach`)) {
        registry.reconsider();
      }
    }),
  ];
  if (workspace.isTrusted) {
    lookForSessions();
  }
  showState();
  return {
    sessions: registry,
    dispose() {
      demo.dispose();
      finder?.dispose();
      registry.dispose();
      for (const disposable of disposables) {
        disposable.dispose();
      }
    },
  };

  function lookForSessions(): void {
    const said = new Set<string>();
    finder ??= new SessionFinder({
      folders: places?.runFolders ?? [],
      changed: () => {
        for (const { sentence } of finder?.refused ?? []) {
          if (!said.has(sentence)) {
            said.add(sentence);
            log.warn(sentence);
          }
        }
        registry.announcedAre(finder?.found ?? []);
      },
    });
    showState();
  }

  function showState(): void {
    const state = sessionsState(registry, workspace.isTrusted);
    if (state !== shownState) {
      shownState = state;
      setContextKey('contextLifecycle.session.state', state);
    }
  }

  async function show({ severity, message, session }: Notice): Promise<void> {
    const tell = severity === 'error' ? window.showErrorMessage : window.showWarningMessage;
    const open = l10n.t('Show Session');
    if ((await tell(say(message), open)) === open) {
      registry.choose(session);
      await commands.executeCommand(SHOW_SIDEBAR);
    }
  }
}

/** Absent where the environment names no usable folder; the log says so. */
function foldersOrNone(log: LogOutputChannel): Folders | undefined {
  try {
    return folders();
  } catch (error) {
    log.error(`Sessions are not looked for: ${(error as Error).message}`);
    return undefined;
  }
}

async function findLog(places: Folders | undefined, { id, agent, created }: LogHeader): Promise<string | undefined> {
  const logs = places ? await listLogs(places.sessions).catch(() => []) : [];
  const isIts = (header: LogHeader | undefined): boolean =>
    header?.id === id && header.agent === agent && header.created === created;
  return logs.find(({ header }) => isIts(header))?.path;
}
