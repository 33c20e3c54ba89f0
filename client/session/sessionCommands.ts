import { basename, dirname } from 'node:path';
import { commands, type Disposable, l10n, ProgressLocation, window, workspace } from 'vscode';
import { LOG_SUFFIX } from '../../local/openLog.ts';
import { deleteLog } from '../../local/retention.ts';
import { SESSION_COMMANDS } from '../names.ts';
import type { Wording } from '../views/wording.ts';
import type { Demo } from './demo.ts';
import { openPastSession } from './pastSession.ts';
import { inNotification } from './plainWords.ts';
import type { SessionFinder } from './sessionFinder.ts';
import { browseForLog, pickFound, pickLog, pickSession, readableLogs } from './sessionPicks.ts';
import type { SessionRegistry } from './sessionRegistry.ts';
import { SHOW_SIDEBAR } from './statusBar.ts';

export interface SessionCommandNeeds {
  readonly registry: SessionRegistry;
  /** Absent where sessions cannot be looked for. */
  readonly finder: () => SessionFinder | undefined;
  /** Where logs lie. */
  readonly logs: string;
  readonly demo: Demo;
  readonly wording: Wording;
}

/** Registers the commands about sessions. Each has an answer while nothing is connected, and where nothing may be. */
export function registerSessionCommands(needs: SessionCommandNeeds): readonly Disposable[] {
  const { registry, finder, logs, demo, wording } = needs;
  const handlers: Readonly<Record<keyof typeof SESSION_COMMANDS, () => Promise<unknown>>> = {
    connect: () => connect(registry, finder()),
    disconnect: () => disconnect(registry),
    openSessionLog: () => openLog(registry, logs, wording),
    deleteSessionLog: () => removeLog(registry, logs, wording),
    startDemoSession: () => demo.start(),
  };
  return Object.entries(SESSION_COMMANDS).map(([name, id]) =>
    commands.registerCommand(id, () =>
      workspace.isTrusted ? handlers[name as keyof typeof SESSION_COMMANDS]() : sayUntrusted(),
    ),
  );
}

async function sayUntrusted(): Promise<void> {
  const manage = l10n.t('Manage Trust');
  const answer = await window.showInformationMessage(
    l10n.t('This workspace is not trusted, so no session is looked at in it. Checking and editing work.'),
    manage,
  );
  if (answer === manage) {
    await commands.executeCommand('workbench.trust.manage');
  }
}

async function connect(registry: SessionRegistry, finder: SessionFinder | undefined): Promise<void> {
  await finder?.refresh();
  const { found } = registry;
  if (found.length === 0) {
    await sayNothingRuns(finder?.refused[0]?.sentence);
    return;
  }
  const chosen = await pickFound(found, id => registry.withId(id)?.link.kind === 'connected');
  if (chosen && !registry.attach(chosen.session)) {
    void window.showInformationMessage(l10n.t('This session has ended meanwhile. Its log can still be opened.'));
  }
}

async function sayNothingRuns(refused: string | undefined): Promise<void> {
  const demo = l10n.t('Start Demo Session');
  const log = l10n.t('Open Session Log');
  const text = l10n.t(
    'No session is running. Start an agent that has the adapter, or look at a demo or at an old log.',
  );
  const answer = await window.showInformationMessage(
    refused === undefined ? text : `${inNotification(refused)} ${text}`,
    demo,
    log,
  );
  if (answer === demo) {
    await commands.executeCommand(SESSION_COMMANDS.startDemoSession);
  } else if (answer === log) {
    await commands.executeCommand(SESSION_COMMANDS.openSessionLog);
  }
}

async function disconnect(registry: SessionRegistry): Promise<void> {
  const [only, ...others] = registry.all;
  if (!only) {
    void window.showInformationMessage(l10n.t('No session is connected.'));
    return;
  }
  const chosen = others.length === 0 ? only : await pickSession(registry.all, l10n.t('Disconnect'));
  if (chosen) {
    registry.detach(chosen.key);
  }
}

async function openLog(registry: SessionRegistry, folder: string, wording: Wording): Promise<void> {
  const logs = await readableLogs(folder);
  const path =
    logs.length === 0 ? await browseForLog(folder) : (await pickLog(logs, wording, l10n.t('Open Session Log')))?.path;
  if (path === undefined) {
    return;
  }
  const options = { location: ProgressLocation.Notification, title: l10n.t('Reading the log…'), cancellable: true };
  await window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    const cancelled = token.onCancellationRequested(() => stop.abort());
    try {
      const { session, fault } = await openPastSession(path, stop.signal);
      registry.addPast(session);
      await commands.executeCommand(SHOW_SIDEBAR);
      if (fault !== undefined) {
        void window.showWarningMessage(inNotification(fault));
      }
    } catch (error) {
      if (!stop.signal.aborted) {
        void window.showErrorMessage(l10n.t('The log could not be opened. {0}', inNotification(sentenceOf(error))));
      }
    } finally {
      cancelled.dispose();
    }
  });
}

async function removeLog(registry: SessionRegistry, folder: string, wording: Wording): Promise<void> {
  const logs = (await readableLogs(folder)).filter(({ writer }) => writer === undefined);
  if (logs.length === 0) {
    void window.showInformationMessage(
      l10n.t('There is no log that could be deleted: those that are being written stay.'),
    );
    return;
  }
  const log = await pickLog(logs, wording, l10n.t('Delete Session Log'));
  const remove = l10n.t('Delete');
  const question = log && l10n.t('Delete the log of session {0}?', inNotification(log.header?.id ?? log.name));
  const detail = l10n.t('What was discarded in it is forgotten too. It cannot be brought back.');
  if (!log || !question || (await window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) {
    return;
  }
  try {
    deleteLog(dirname(log.path), basename(log.path, LOG_SUFFIX));
    registry.forgetLog(log.path);
  } catch (error) {
    void window.showErrorMessage(l10n.t('The log was not deleted. {0}', inNotification(sentenceOf(error))));
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
